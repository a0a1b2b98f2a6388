import type { Queries } from "./types";

export const TALL = 22;
const WIDEST = 240;

/** Cells as paths, by what they are, within the cutoff and beyond it. */
export interface Drawn {
  width: number;
  inside: Record<string, string>;
  beyond: Record<string, string>;
  digits: { x: string; text: string }; // grades above 1
  first: string; // the mark under the first that holds an answer
}

/** Pixels from one rank to the next. */
export const pitch = (cells: number): number => Math.max(2.4, Math.min(16, WIDEST / cells));

/** The strip of one query. Wide cells are boxes, narrow ones bars: tall where an answer is, low elsewhere. */
export function strip(q: Queries, row: number, cells: number, k: number | null): Drawn {
  const step = pitch(cells);
  const wide = step >= 9;
  const out: Drawn = { width: cells * step, inside: {}, beyond: {}, digits: { x: "", text: "" }, first: "" };
  const { edges, rank, state, grade } = q.passages;
  const add = (to: Record<string, string>, kind: string, path: string) => (to[kind] = (to[kind] ?? "") + path);
  for (let i = edges[row]; i < edges[row + 1] && rank[i] <= cells; i++) {
    const x = (rank[i] - 1) * step;
    const to = k !== null && rank[i] > k ? out.beyond : out.inside;
    const kind = ["none", "new", "again", "judged"][state[i]];
    if (!wide) {
      add(to, kind, bar(x, step, kind === "new" ? 15 : kind === "again" ? 10 : 4));
      continue;
    }
    add(to, kind, box(x + 1.5, step - 3));
    if (kind === "judged") add(to, "line", `M${x + 5} 8h${step - 10}`);
    if (kind === "again") add(to, "dot", dot(x + step / 2));
    if (kind !== "new") continue;
    if (grade[i] > 1 && step > 11) {
      out.digits.x += `${x + step / 2} `;
      out.digits.text += grade[i] > 9 ? "+" : grade[i];
    } else add(to, "hole", dot(x + step / 2));
  }
  const first = q.first[row];
  if (first && first <= cells) {
    const x = (first - 0.5) * step;
    out.first = `M${x - 3.5} 21.5L${x} 17L${x + 3.5} 21.5z`;
  }
  return out;
}

const box = (x: number, size: number): string => `M${x} 1.5h${size}v${size}h${-size}z`;
const bar = (x: number, step: number, height: number): string => `M${round(x)} ${15.5 - height}h${Math.max(1.4, step - 1).toFixed(1)}v${height}h${-Math.max(1.4, step - 1).toFixed(1)}z`;
const dot = (x: number): string => `M${x - 2} 8a2 2 0 1 0 4 0a2 2 0 1 0 -4 0`;
const round = (x: number): string => x.toFixed(1);

export function Strip({ q, row, cells, k }: { q: Queries; row: number; cells: number; k: number | null }) {
  const drawn = strip(q, row, cells, k);
  const wide = pitch(cells) >= 9 ? "boxes" : "bars";
  const paths = (group: Record<string, string>) => Object.entries(group).map(([kind, d]) => <path key={kind} class={kind} d={d} />);
  const { digits } = drawn;
  return (
    <svg class={`strip ${wide}`} width={drawn.width} height={TALL} viewBox={`0 0 ${drawn.width} ${TALL}`} aria-hidden="true">
      {paths(drawn.inside)}
      {Object.keys(drawn.beyond).length > 0 && <g class="beyond">{paths(drawn.beyond)}</g>}
      {digits.text && <text x={digits.x.trim()} y="12" text-anchor="middle">{digits.text}</text>}
      {drawn.first && <path class="mark" d={drawn.first} />}
    </svg>
  );
}

/** The strip in words. */
export function said(q: Queries, row: number, k: number | null): string {
  const { edges, rank, state } = q.passages;
  const found: number[] = [];
  for (let i = edges[row]; i < edges[row + 1]; i++) if ((state[i] === 1 || state[i] === 2) && (k === null || rank[i] <= k)) found.push(rank[i]);
  if (!q.pred_number[row]) return "nothing retrieved";
  return found.length ? `answers at rank ${found.slice(0, 20).join(", ")}${found.length > 20 ? " and more" : ""}` : "no answer found";
}
