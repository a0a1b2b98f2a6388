import type { ComponentChildren } from "preact";
import { count, rate, title } from "../frame/format";
import { DifferenceBar, Scale } from "./bar";
import { average, pValue, signed } from "./format";
import type { Model, View } from "./model";
import { sides } from "./model";
import { scales, sorted, type Line } from "./rows";
import { readingSign } from "./signs";
import { Scroll } from "../frame/scroll";

interface Props {
  model: Model;
  view: View;
  lines: Line[]; // those that are shown
  all: Line[]; // those that the scale is made for
  caption: ComponentChildren;
  label: string;
}

/** Differences: both figures, the difference, its interval around zero, p and what it says. */
export function Differences({ model, view, lines, all, caption, label }: Props) {
  const [first, second] = sides(model, view);
  const labels = all.length > 0 && all[0].label !== null;
  const scale = scales(all);
  const { by } = view.place;
  const shown = sorted(lines, by);
  const grouped = !labels && shown === lines;
  const head = (column: string, name: ComponentChildren, says?: string) => (
    <Head column={column} by={by} set={(next) => view.go({ by: next })} says={says}>{name}</Head>
  );
  return (
    <Scroll name={label}>
      <table class="differences">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {labels ? head("label", "Label") : <th scope="col">Figure</th>}
            {head("base", <bdi>{first}</bdi>)}
            {head("value", <bdi>{second}</bdi>)}
            {head("difference", "Δ", "Difference")}
            <th scope="col" class="lines"><span class="hidden">Interval of the difference, from </span><Scale reach={scale.shared} /></th>
            {head("adjusted", "p", "p, adjusted")}
            <th scope="col">Reading</th>
            <th scope="col" class="num" title="Documents that the figures are over">n</th>
            {head("smallest", "Detectable", "Detectable: the smallest true difference that so many documents would show four times in five")}
          </tr>
        </thead>
        <tbody>
          {shown.map((line, i) => [
            grouped && (!i || shown[i - 1].measure !== line.measure) && (
              <tr key={`m${line.at}`} class="group">
                <th scope="rowgroup" class="measure" colSpan={9}>{model.payload.measures[line.measure].short}</th>
              </tr>
            ),
            <tr key={line.at} data-testid="figure" data-row={line.at} class={labels ? "group" : ""}>
              <th scope="row" class="labelled" title={labels ? line.label ?? "" : model.payload.measures[line.measure].short}>
                {labels ? <bdi>{line.label}</bdi> : `${title(line.rate)} `}
                {!labels && <span class="average">{average(line.average, model.payload.family)}{!grouped && `, ${model.payload.measures[line.measure].short}`}</span>}
              </th>
              <td>{rate(line.base)}</td>
              <td>{rate(line.value)}</td>
              <td class="delta">{signed(line.difference)}</td>
              <td class="lines"><DifferenceBar line={line} reach={scale.of(line)[0]} shared={scale.of(line)[1]} /></td>
              <td title={line.p === null ? "" : `before adjustment ${pValue(line.p)}`}>{pValue(line.adjusted)}</td>
              <td class={`left reading ${line.reading === "no clear difference" ? "unclear" : line.reading}`}>
                <span class="glyph" aria-hidden="true">{readingSign(line.reading)}</span>{line.reading}
              </td>
              <td><Over over={line.over} /></td>
              <td class="smallest">{rate(line.smallest)}</td>
            </tr>,
          ])}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Documents: one number, or both where a mean leaves out others in one run than in the other. */
const Over = ({ over: [base, own] }: { over: [number, number] }) => <>{base === own ? count(own) : `${count(base)} / ${count(own)}`}</>;

interface HeadProps {
  column: string;
  by: string;
  set: (by: string) => void;
  says: string | undefined;
  children: ComponentChildren;
}

/** A head that sorts: downwards first, then upwards, then as it was. */
function Head({ column, by, set, says, children }: HeadProps) {
  const up = by === column;
  const down = by === `-${column}`;
  return (
    <th scope="col" class={column === "label" ? "" : "num"} aria-sort={up ? "ascending" : down ? "descending" : undefined}>
      <button class="sorts" title={says ?? "Sort"} onClick={() => set(down ? column : up ? "" : `-${column}`)}>
        {children}
        <span aria-hidden="true">{up ? " ↑" : down ? " ↓" : ""}</span>
      </button>
    </th>
  );
}
