import { CONTEXT } from "../spans/filter";
import type { Corpus, Items, Side } from "./types";
import type { Filters, Order } from "./url";

export interface Found {
  rows: Int32Array; // places in corpus.rows, in reading order
  counts: Int32Array; // changes of each kind under the filters other than kind
}

const TOLD = [0, 1, 4, 5]; // fixed, broken, spurious gone, spurious new: what tells the runs apart

export function wanted(f: Filters, kinds: number): Uint8Array {
  const on = new Uint8Array(kinds);
  for (const k of f.kinds ?? TOLD) on[k] = 1;
  return on;
}

export const filtered = (f: Filters): boolean => f.label >= 0 || f.doc >= 0 || f.q !== "";

/** The kinds after a press: one on or off, or only that one; those of the beginning again are no filter at all. */
export function toggled(f: Filters, kind: number, kinds: number, only = false): number[] | null {
  const on = wanted(f, kinds);
  if (only) on.fill(0);
  on[kind] = only || !on[kind] ? 1 : 0;
  const chosen = [...on.keys()].filter((k) => on[k]);
  return chosen.join() === TOLD.join() ? null : chosen;
}

/** The rows of the spans that a change is about; -1 where there is none. */
export const about = (c: Corpus, row: number): Record<Side, number> => ({ gold: c.rows.gold[row], a: c.rows.a[row], b: c.rows.b[row] });

/** First and last place of a change in the shown text. */
export function extent(c: Corpus, row: number): [from: number, to: number] {
  const own = about(c, row);
  let from = Infinity;
  let to = 0;
  for (const side of ["gold", "a", "b"] as const) {
    if (own[side] < 0) continue;
    from = Math.min(from, c[side].start16[own[side]]);
    to = Math.max(to, c[side].end16[own[side]]);
  }
  return [from, to];
}

/** One pass over all changes: rows that pass, and how many there are of each kind. */
export function find(c: Corpus, f: Filters, kinds: number): Found {
  const on = wanted(f, kinds);
  const { change, doc, label } = c.rows;
  const rows = new Int32Array(change.length);
  const counts = new Int32Array(kinds);
  const hit = searcher(c, f.q.toLowerCase());
  let used = 0;
  for (let i = 0; i < change.length; i++) {
    if (f.label >= 0 && label[i] !== f.label) continue;
    if (f.doc >= 0 && doc[i] !== f.doc) continue;
    if (f.q && !hit(i)) continue;
    counts[change[i]]++;
    if (on[change[i]]) rows[used++] = i;
  }
  return { rows: rows.slice(0, used), counts };
}

/** Search without regard to case, in the name of the document and in the text around the change. */
function searcher(c: Corpus, word: string): (row: number) => boolean {
  const state = new Int8Array(c.names.length); // 0 not asked yet, 1 in the text, 2 in the name, -1 in neither
  return (row) => {
    const doc = c.rows.doc[row];
    const text = c.texts[doc];
    if (!state[doc]) {
      const named = c.names[doc].toLowerCase().includes(word);
      state[doc] = named ? 2 : text?.toLowerCase().includes(word) ? 1 : -1;
    }
    if (state[doc] !== 1 || text === null) return state[doc] === 2;
    const [from, to] = extent(c, row);
    return text.slice(Math.max(0, from - CONTEXT), to + CONTEXT).toLowerCase().includes(word);
  };
}

/** The place of a row among those listed, or of the next one, so that the eye stays where it was. */
export function nearest(rows: Int32Array, row: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle] < row) low = middle + 1;
    else high = middle;
  }
  return high < 0 ? -1 : low;
}

/** Documents in the order asked for: most changed first, or the worst or the best changes first. */
export function arrange(items: Items, readings: string[], run: number, order: Order, all: boolean, word: string): Int32Array {
  const size = items.differences[run - 1].map((d) => Math.abs(d ?? 0));
  const reading = items.readings[run];
  const code = (name: string) => readings.indexOf(name);
  const same = code("same");
  const down = new Set([code("worse"), code("lower")]);
  const up = new Set([code("better"), code("higher")]);
  const way = (i: number) => (down.has(reading[i]) ? -1 : up.has(reading[i]) ? 1 : 0);
  const turn = order === "best" ? -1 : 1;
  const key = (i: number) => (order === "most" ? -size[i] : reading[i] === code("undefined") ? Infinity : turn * way(i) * size[i]);
  const low = word.toLowerCase();
  const out: number[] = [];
  items.names.forEach((name, i) => (all || reading[i] !== same) && (!low || name.toLowerCase().includes(low)) && out.push(i));
  const keys = out.length ? Float64Array.from(items.names, (_, i) => key(i)) : new Float64Array(0);
  return Int32Array.from(out.sort((a, b) => (keys[a] === keys[b] ? a - b : keys[a] - keys[b])));
}
