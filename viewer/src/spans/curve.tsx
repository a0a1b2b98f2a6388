import { useRef } from "preact/hooks";
import { intervals } from "../frame/about";
import { Chart } from "../frame/chart";
import { rate, threshold, title } from "../frame/format";
import type { Num } from "../frame/types";
import { lead, stepName, type Model, type View } from "./model";
import { Heads } from "./signs";
import type { Band, RawCorpus } from "./types";
import { Scroll } from "../frame/scroll";

const W = 420;
const H = 190;
const L = 34;
const R = 66;
const T = 10;
const B = 22;
const LINES = [
  ["precision", "Precision"],
  ["recall", "Recall"],
  ["value", ""], // the rate that leads
] as const;

/** Names at the line ends, moved apart so that none covers another. */
export function spread(places: number[], gap: number, least = -Infinity, most = Infinity): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  const out = places.slice();
  const middle = places.reduce((a, b) => a + b, 0) / places.length;
  order.forEach((at, i) => {
    if (i && out[at] - out[order[i - 1]] < gap) out[at] = out[order[i - 1]] + gap;
  });
  const now = out.reduce((a, b) => a + b, 0) / out.length;
  const by = Math.min(Math.max(middle - now, least - Math.min(...out)), most - Math.max(...out)); // about their middle, within the chart
  return out.map((y) => y + by);
}

interface Point {
  precision: Num;
  recall: Num;
  value: Num;
  macro?: Num;
}

/** The rates at every step: of everything, or of one label. */
export function points(raw: RawCorpus, label: number): Point[] {
  if (label < 0) return raw.whole;
  return raw.by_label.map((lines) => {
    const [, , , precision, recall, value] = lines[label];
    return { precision, recall, value };
  });
}

/** Precision, recall and F at every threshold, of the label chosen. The slider is the control; a pointer may drag as well. */
export function Curve({ model, view }: { model: Model; view: View }) {
  const raw = model.payload.corpus;
  const dragging = useRef(false);
  if (!raw || raw.steps.length < 2) return null;
  const { steps } = raw;
  const label = raw.by_label[0]?.length ? view.place.label : -1;
  const rates = points(raw, label);
  const first = steps[0];
  const span = steps[steps.length - 1] - first || 1;
  const x = (step: number) => L + ((steps[step] - first) / span) * (W - L - R);
  const y = (value: number) => T + (1 - value) * (H - T - B);
  const pick = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const value = first + ((((event.clientX - box.left) / box.width) * W - L) / (W - L - R)) * span;
    let best = 0;
    steps.forEach((s, i) => Math.abs(s - value) < Math.abs(steps[best] - value) && (best = i));
    view.go({ step: best });
  };
  const last = rates[rates.length - 1];
  const ends = spread(LINES.map(([key]) => y(last[key] ?? 0)), 13, T, H - B - 4);
  const here = rates[view.place.step];
  const now = x(view.place.step);
  const band = label < 0 ? raw.band : null;
  const name = label < 0 ? "all labels" : model.payload.labels[label];
  const main = title(lead(model.payload));
  return (
    <Chart name="curve" says="The curve as a table" table={<Table raw={raw} rates={rates} band={band} main={main} />} class="curve">
      <svg
        viewBox={`0 0 ${W} ${H}`}
        role="img"
        aria-label={`Precision, recall and ${main} of ${name} by threshold; ${main} is ${rate(here.value)} at ${stepName(raw, view.place.step)}`}
        onPointerDown={(e) => {
          dragging.current = true;
          (e.currentTarget as Element).setPointerCapture(e.pointerId);
          pick(e);
        }}
        onPointerMove={(e) => dragging.current && pick(e)}
        onPointerUp={() => (dragging.current = false)}
      >
        {[0, 0.25, 0.5, 0.75, 1].map((v) => (
          <g key={v}>
            <line class="grid" x1={L} x2={W - R} y1={y(v)} y2={y(v)} />
            <text x={L - 6} y={y(v) + 3.5} text-anchor="end">{v}</text>
            <text x={L + v * (W - L - R)} y={H - 6} text-anchor="middle">{threshold(first + v * span)}</text>
          </g>
        ))}
        {band && <path class="between" d={outline(band, x, y)} />}
        <line class="now" x1={now} x2={now} y1={T} y2={H - B} />
        {LINES.map(([key, own], i) => (
          <g key={key} class={`line ${key}`}>
            <path d={path(rates.map((point) => point[key]), x, y)} />
            <text x={W - R + 6} y={ends[i] + 3.5}>{own || main}</text>
          </g>
        ))}
        {here.value !== null && <circle class="dot" cx={now} cy={y(here.value)} r="4" />}
      </svg>
      <figcaption class="note">
        {label < 0 ? "All labels." : <>Only <bdi>{name}</bdi>.</>}
        {raw.exact && ` Below exact: ${raw.moved} at that threshold.`}
        {band && ` Band: ${main}, ${intervals(model.payload)}`}
      </figcaption>
    </Chart>
  );
}

/** The band of the interval, along its upper bounds and back along its lower ones; where both are known. */
export function outline(band: Band, x: (step: number) => number, y: (value: number) => number): string {
  const known = band.at.map((_, i) => i).filter((i) => band.low[i] !== null && band.high[i] !== null);
  const edge = (bound: Num[]) => known.map((i) => `${x(band.at[i]).toFixed(1)} ${y(bound[i]!).toFixed(1)}`);
  return known.length ? `M${[...edge(band.high), ...edge(band.low).reverse()].join("L")}Z` : "";
}

/** A line that breaks off where a rate is not defined. */
function path(values: Num[], x: (step: number) => number, y: (value: number) => number): string {
  let pen = "M";
  return values
    .map((value, i) => {
      const piece = value === null ? "" : `${pen}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = value === null ? "M" : "L";
      return piece;
    })
    .join("");
}

function Table({ raw, rates, band, main }: { raw: RawCorpus; rates: Point[]; band: Band | null; main: string }) {
  const macro = rates[0].macro !== undefined;
  const bound = (at: number, from: Num[]) => rate(from[band!.at.indexOf(at)] ?? null);
  return (
    <Scroll name="The curve as a table" class="">
      <table>
        <Heads of={["Threshold", ...LINES.map(([, name]) => name || main), !!band && "Low", !!band && "High", macro && `Macro ${main}`]} />
        <tbody>
          {rates.map((w, i) => (
            <tr key={i}>
              <th>{stepName(raw, i)}</th>
              {LINES.map(([key]) => <td key={key}>{rate(w[key])}</td>)}
              {band && <td>{bound(i, band.low)}</td>}
              {band && <td>{bound(i, band.high)}</td>}
              {macro && <td>{rate(w.macro!)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
