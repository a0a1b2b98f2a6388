import { count, rate } from "../frame/format";
import { SIGNS } from "./corpus";
import { Letter } from "./ranking";
import { units, type Model, type View } from "./model";
import { Scroll } from "../frame/scroll";

/** How many boundaries are of each kind at this window: in the document, and in all documents as Python counted. */
export function CountsTable({ model, view }: { model: Model; view: View }) {
  const { corpus: c } = model;
  const methods = view.ribbons.filter((one) => c.marks[one.side]);
  const where = `Counts at a window of ${units(c.windows[view.place.step], c.unit)}`;
  const signs = (key: string) => c.kinds.map((kind, i) => <th key={`${key}${kind}`} scope="col" class="num"><span aria-hidden="true">{SIGNS[i]}</span> {kind}</th>);
  return (
    <>
      <Scroll name={where}>
        <table class="kinds" data-testid="counts">
          <thead>
            <tr>
              <th rowSpan={2} scope="col">Method</th>
              <th colSpan={4} scope="colgroup" class="num">This document</th>
              <th colSpan={8} scope="colgroup" class="num">{c.total === 1 ? "The 1 document" : `All ${count(c.total)} documents`}</th>
            </tr>
            <tr>
              {signs("d")}
              {signs("c")}
              {["Precision", "Recall", "F1", "Mean F1"].map((name) => <th key={name} scope="col" class="num">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {methods.map((one) => {
              const marks = c.marks[one.side];
              return (
                <tr key={one.side} data-testid={`method-${one.side}`}>
                  <th scope="row" title={one.name}>
                    <Letter model={model} side={one.side} />
                    <bdi>{one.name}</bdi>
                  </th>
                  {one.counts.map((n, i) => <td key={i} class="own">{one.has ? count(n) : "–"}</td>)}
                  {marks.whole[view.place.step].map((n, i) => <td key={i} class={i ? "" : "first"}>{count(n)}</td>)}
                  {marks.figures[view.place.step].map((value, i) => <td key={i}>{rate(value)}</td>)}
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <p class="note">Pairs are those of segments.boundaries at this window: each boundary is used once. Precision, recall and F1 are micro; mean F1 is over documents.</p>
    </>
  );
}
