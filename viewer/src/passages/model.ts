import type { Links } from "../frame/place";
import type { Payload, Queries } from "./types";
import type { Place } from "./url";

/** What does not change while the page is open. */
export interface Model {
  payload: Payload;
  q: Queries;
  links: Links<Place>;
  cells: number; // ranks in a strip
}

/** What the page shows now. */
export interface View {
  place: Place;
  go: (change: Partial<Place>) => void;
  k: number | null; // the cutoff now; null: all passages count
  rows: Int32Array;
  current: number; // place in rows, -1: none
}

const MOST = 100; // ranks that a strip can show

/** Ranks in a strip: up to the largest cutoff, else as many as the longest list has. */
export function cellsOf(q: Queries): number {
  const longest = q.pred_number.reduce((most, n) => Math.max(most, n), 0);
  const ks = [...q.cutoffs, ...q.columns.flatMap((column) => (column.k === null ? [] : [column.k]))].filter((k) => k <= MOST * 10);
  const wanted = ks.length ? Math.max(...ks) : longest;
  return Math.max(1, Math.min(wanted, longest, MOST));
}

/** The cutoff at a step: of the slider, else of the first measure that has one. */
export function cutoffAt(q: Queries, step: number): number | null {
  if (q.cutoffs.length) return q.cutoffs[step];
  const k = q.columns.find((column) => column.k !== null)?.k ?? null;
  return k === null || k >= 1_000_000 ? null : k;
}

/** Another query, so many rows on. */
export function moveBy(view: View, by: number): void {
  if (!view.rows.length) return;
  view.go({ sel: view.rows[Math.min(view.rows.length - 1, Math.max(0, view.current + by))] });
}

/** Another cutoff, so many steps on. */
export function stepBy(model: Model, view: View, by: number): void {
  view.go({ step: Math.min(Math.max(0, model.q.cutoffs.length - 1), Math.max(0, view.place.step + by)) });
}
