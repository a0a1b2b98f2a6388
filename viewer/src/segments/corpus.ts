import type { Corpus, Runs, Side } from "./types";

export const EXACT = 0;
export const NEAR = 1;
export const EXTRA = 2;
export const MISSED = 3;
export const SIGNS = ["●", "◐", "+", "−"];

/** The run of a row that holds at a step. */
export function runAt(runs: Runs, row: number, step: number): number {
  let run = runs.first[row + 1] - 1;
  while (run > runs.first[row] && runs.from[run] > step) run--;
  return run;
}

/** One segmentation of one document at one window. */
export interface Ribbon {
  side: number;
  name: string;
  has: boolean;
  at: Int32Array;
  at16: Int32Array;
  label: Int32Array | null;
  kind: Int32Array | null; // of its boundaries; null: nothing to hold them against
  away: Int32Array | null; // how far each is behind (before: negative) the gold boundary it is paired with
  missed: Int32Array; // gold boundaries it lacks: numbers in the gold ribbon
  counts: number[]; // exact, near, extra, missed
}

export const hasGold = (c: Corpus): boolean => Object.keys(c.marks).length > 0;

function own(side: Side, doc: number): [number, number] {
  return [side.first[doc], side.first[doc + 1]];
}

export function ribbon(c: Corpus, doc: number, n: number, step: number): Ribbon {
  const side = c.sides[n];
  const [first, last] = own(side, doc);
  const marks = c.marks[n];
  const out: Ribbon = {
    side: n,
    name: c.methods[n],
    has: side.has[doc] === 1,
    at: side.at.subarray(first, last),
    at16: side.at16.subarray(first, last),
    label: side.label && side.label.subarray(first + doc, last + doc + 1),
    kind: null,
    away: null,
    missed: new Int32Array(0),
    counts: [0, 0, 0, 0],
  };
  if (!marks) return out;
  const gold = c.sides[0];
  out.kind = new Int32Array(last - first);
  out.away = new Int32Array(last - first);
  for (let row = first; row < last; row++) {
    const run = runAt(marks.pred, row, step);
    const kind = marks.pred.kind[run];
    out.kind[row - first] = kind;
    out.counts[kind]++;
    const pair = marks.pred.pair[run];
    if (pair >= 0) out.away[row - first] = side.at[row] - gold.at[pair];
  }
  const [start, end] = own(gold, doc);
  const missed = [];
  for (let row = start; row < end; row++) {
    if (marks.gold.kind[runAt(marks.gold, row, step)] === MISSED) missed.push(row - start);
  }
  out.missed = Int32Array.from(missed);
  out.counts[MISSED] = missed.length;
  return out;
}

export function ribbons(c: Corpus, doc: number, step: number): Ribbon[] {
  return c.methods.map((_, n) => ribbon(c, doc, n, step));
}

/** What every segmentation has at one place of the text. */
export interface Spot {
  at: number;
  at16: number;
  kinds: number[]; // by ribbon: the kind of its boundary (gold, or without gold: EXACT), MISSED, or -1: none
  away: number[];
}

/** All places with a boundary of some ribbon, in order. */
export function spots(all: Ribbon[]): Spot[] {
  const found = new Map<number, Spot>();
  for (const [n, one] of all.entries()) {
    one.at.forEach((at, i) => {
      let spot = found.get(at);
      if (!spot) found.set(at, (spot = { at, at16: one.at16[i], kinds: all.map(() => -1), away: all.map(() => 0) }));
      spot.kinds[n] = one.kind ? one.kind[i] : EXACT;
      if (one.away) spot.away[n] = one.away[i];
    });
    for (const i of one.missed) {
      const spot = found.get(all[0].at[i]);
      if (spot && spot.kinds[n] < 0) spot.kinds[n] = MISSED;
    }
  }
  return [...found.values()].sort((a, b) => a.at - b.at);
}

/** The place of the boundary nearest to a place, -1 where there is none. */
export const nearest = (all: Spot[], place: number): number =>
  all.reduce((best, { at }) => (best < 0 || Math.abs(at - place) < Math.abs(best - place) ? at : best), -1);

export const wrong = (spot: Spot): boolean => spot.kinds.some((kind) => kind === EXTRA || kind === MISSED);

/** Whose figures order the documents: the mean of all methods first, where there is one. */
export const choices = (c: Corpus): string[] => Object.keys(c.orders).sort((a, b) => Number(b === "mean") - Number(a === "mean"));

export type Sort = "worst" | "name" | "length";

/** The documents to list: by a choice of order, and those whose name holds the words typed. */
export function listed(c: Corpus, sort: Sort, by: string, q: string): Int32Array {
  let order = c.orders[by] ?? c.orders[choices(c)[0]];
  if (sort === "name") {
    const compare = new Intl.Collator("en", { numeric: true }).compare;
    order = Int32Array.from(order).sort((a, b) => compare(c.names[a], c.names[b]) || a - b);
  }
  if (sort === "length") order = Int32Array.from(order).sort((a, b) => c.lengths[b] - c.lengths[a] || a - b);
  const word = q.trim().toLowerCase();
  return word ? order.filter((doc) => c.names[doc].toLowerCase().includes(word)) : order;
}
