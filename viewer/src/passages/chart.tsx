import { rate, title } from "../frame/format";
import type { Row } from "../frame/types";
import type { Model, View } from "./model";
import { keyOf, overall } from "./rates";
import type { Column } from "./types";
import { Scroll } from "../frame/scroll";

const W = 210;
const H = 118;
const L = 26;
const R = 10;
const T = 8;
const B = 20;
const APART = 17; // pixels between the numbers under the axis

/** Where cutoffs stand: as their logarithms, for the first ranks matter most. */
export function places(cutoffs: number[]): number[] {
  const low = Math.log(cutoffs[0]);
  const span = Math.log(cutoffs[cutoffs.length - 1]) - low || 1;
  return cutoffs.map((k) => L + ((Math.log(k) - low) / span) * (W - L - R));
}

/** Which of them have room for their number; the last one always has. */
export function labelled(at: number[]): boolean[] {
  const out = at.map(() => false);
  let next = Infinity;
  for (let i = at.length - 1; i >= 0; i--) {
    if (next - at[i] < APART) continue;
    out[i] = true;
    next = at[i];
  }
  return out;
}

/** One small chart a rate, all on the same scale: means over queries at every cutoff, with their intervals. */
export function Cutoffs({ model, view }: { model: Model; view: View }) {
  const { q, payload } = model;
  const moving = q.columns.filter((column) => column.measures.length > 1 && column.rate !== "r_precision" && column.rate !== "characters");
  if (q.cutoffs.length < 2 || !moving.length) return null;
  const several = new Set(moving.map((column) => column.measures[0])).size > 1;
  const name = (column: Column) => (several ? `${title(column.rate)}, ${payload.measures[column.measures[0]].form.split("(")[0].replace("passages.", "")}` : title(column.rate));
  const rows = moving.map((column) => q.cutoffs.map((_, i) => overall(payload, column, i)));
  return (
    <section class="card cutoffs">
      <h3>Over cutoffs</h3>
      <p class="note">{`Means over queries among the first k${payload.ci ? ", with intervals" : ""}. The line marks k = ${q.cutoffs[view.place.step]}.`}</p>
      <div class="panels">
        {moving.map((column, i) => (
          <Panel key={keyOf(column)} name={name(column)} cutoffs={q.cutoffs} rows={rows[i]} step={view.place.step} />
        ))}
      </div>
      <details>
        <summary>The curves as a table</summary>
        <Scroll name="The curves as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">k</th>
                {moving.map((column) => <th key={keyOf(column)} scope="col" class="num">{name(column)}</th>)}
              </tr>
            </thead>
            <tbody>
              {q.cutoffs.map((k, i) => (
                <tr key={k}>
                  <th scope="row">{k}</th>
                  {moving.map((column, j) => <td key={keyOf(column)} data-cell={`${keyOf(column)}@${k}`}>{rate(rows[j][i]?.[4] ?? null)}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}

function Panel({ name, cutoffs, rows, step }: { name: string; cutoffs: number[]; rows: (Row | undefined)[]; step: number }) {
  const x = places(cutoffs);
  const y = (value: number) => T + (1 - Math.min(1, Math.max(0, value))) * (H - T - B);
  const named = labelled(x);
  const known = rows.flatMap((row, i) => (row && row[4] !== null ? [{ x: x[i], value: row[4], low: row[5], high: row[6] }] : []));
  const line = known.map((point, i) => `${i ? "L" : "M"}${point.x.toFixed(1)} ${y(point.value).toFixed(1)}`).join("");
  const sure = known.filter((point) => point.low !== null && point.high !== null);
  const band = [...sure.map((p) => `${p.x.toFixed(1)},${y(p.high!).toFixed(1)}`), ...sure.reverse().map((p) => `${p.x.toFixed(1)},${y(p.low!).toFixed(1)}`)].join(" ");
  const says = `${name}: ${cutoffs.map((k, i) => `${rate(rows[i]?.[4] ?? null, 3)} at ${k}`).join(", ")}`;
  const here = rows[step];
  return (
    <figure class="panel">
      <figcaption>
        {name} <strong>{rate(here?.[4] ?? null, 3)}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${W} ${H}`} role="img" aria-label={says}>
        {[0, 0.5, 1].map((v) => (
          <g key={v}>
            <line class="grid" x1={L} x2={W - R} y1={y(v)} y2={y(v)} />
            <text x={L - 5} y={y(v) + 3.5} text-anchor="end">{v}</text>
          </g>
        ))}
        {cutoffs.map((k, i) => named[i] && <text key={k} x={x[i]} y={H - 6} text-anchor="middle">{k}</text>)}
        <line class="now" x1={x[step]} x2={x[step]} y1={T} y2={H - B} />
        {band && <polygon class="sure" points={band} />}
        <path class="line" d={line} />
        {known.map((point) => <circle key={point.x} class={point.x === x[step] ? "dot" : "point"} cx={point.x} cy={y(point.value)} r={point.x === x[step] ? 3.6 : 2} />)}
      </svg>
    </figure>
  );
}
