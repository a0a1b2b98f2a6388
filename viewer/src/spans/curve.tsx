import { useRef } from "preact/hooks";
import { rate, threshold } from "../frame/format";
import type { Model, View } from "./model";
import type { Num } from "../frame/types";
import type { Whole } from "./types";

const W = 420;
const H = 190;
const L = 34;
const R = 66;
const T = 10;
const B = 22;
const LINES = [
  ["precision", "Precision"],
  ["recall", "Recall"],
  ["f1", "F1"],
] as const;

/** Names at the line ends, moved apart so that none covers another. */
export function spread(places: number[], gap: number, least = -Infinity): number[] {
  const order = places.map((_, i) => i).sort((a, b) => places[a] - places[b]);
  const out = places.slice();
  const middle = places.reduce((a, b) => a + b, 0) / places.length;
  order.forEach((at, i) => {
    if (i && out[at] - out[order[i - 1]] < gap) out[at] = out[order[i - 1]] + gap;
  });
  const now = out.reduce((a, b) => a + b, 0) / out.length;
  const by = Math.max(middle - now, least - Math.min(...out)); // back about their middle, yet not above the top
  return out.map((y) => y + by);
}

/** Precision, recall and F1 at every threshold. The slider is the control; here a pointer may drag as well. */
export function Curve({ model, view }: { model: Model; view: View }) {
  const raw = model.payload.corpus;
  const dragging = useRef(false);
  if (!raw || raw.steps.length < 2) return null;
  const { steps, whole } = raw;
  const first = steps[0];
  const span = steps[steps.length - 1] - first || 1;
  const x = (value: number) => L + ((value - first) / span) * (W - L - R);
  const y = (value: number) => T + (1 - value) * (H - T - B);
  const pick = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const value = first + ((((event.clientX - box.left) / box.width) * W - L) / (W - L - R)) * span;
    let best = 0;
    steps.forEach((s, i) => Math.abs(s - value) < Math.abs(steps[best] - value) && (best = i));
    view.go({ step: best });
  };
  const last = whole[whole.length - 1];
  const ends = spread(LINES.map(([key]) => y(last[key] ?? 0)), 13, T);
  const here = whole[view.place.step];
  return (
    <figure class="curve">
      <svg
        viewBox={`0 0 ${W} ${H}`}
        role="img"
        aria-label={`Precision, recall and F1 by threshold; F1 is ${rate(here.f1)} at ${threshold(steps[view.place.step])}`}
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
        <line class="now" x1={x(steps[view.place.step])} x2={x(steps[view.place.step])} y1={T} y2={H - B} />
        {LINES.map(([key, name], i) => (
          <g key={key} class={`line ${key}`}>
            <path d={path(whole, key, (s) => x(steps[s]), y)} />
            <text x={W - R + 6} y={ends[i] + 3.5}>{name}</text>
          </g>
        ))}
        {here.f1 !== null && <circle class="dot" cx={x(steps[view.place.step])} cy={y(here.f1)} r="4" />}
      </svg>
      <details>
        <summary>The curve as a table</summary>
        <Table steps={steps} whole={whole} />
      </details>
    </figure>
  );
}

/** A line that breaks off where a rate is not defined. */
function path(whole: Whole[], key: "precision" | "recall" | "f1", x: (step: number) => number, y: (value: number) => number): string {
  let pen = "M";
  return whole
    .map((point, i) => {
      const value: Num = point[key];
      if (value === null) {
        pen = "M";
        return "";
      }
      const piece = `${pen}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = "L";
      return piece;
    })
    .join("");
}

function Table({ steps, whole }: { steps: number[]; whole: Whole[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The curve as a table">
      <table>
        <thead>
          <tr>
            <th>Threshold</th>
            <th>Precision</th>
            <th>Recall</th>
            <th>F1</th>
            <th>Macro F1</th>
          </tr>
        </thead>
        <tbody>
          {whole.map((w, i) => (
            <tr key={i}>
              <th scope="row">{threshold(steps[i])}</th>
              <td>{rate(w.precision)}</td>
              <td>{rate(w.recall)}</td>
              <td>{rate(w.f1)}</td>
              <td>{rate(w.macro_f1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
