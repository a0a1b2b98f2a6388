import { textOf, type Corpus } from "./corpus";
import { surface } from "./order";
import type { Verdicts } from "./step";
import { waits } from "./texts";

export interface Filters {
  kinds: number[] | null; // null: every error; with a pair, every finding
  label: number; // -1: any
  pair: [gold: number, pred: number] | null; // the code after the last label stands for none
  doc: number; // -1: any
  q: string;
  len: Range | null; // characters of the gold span, else of the prediction
  conf: Range | null; // the score of the prediction
  slice: [way: number, slice: number] | null;
  flagged: boolean; // only findings with a flag
  is: string; // only findings whose words are these, "": any
}

export type Range = [low: number, high: number]; // both included; an open end is infinite

export interface Found {
  rows: Int32Array; // ids, in reading order
  counts: Int32Array; // findings per kind under the filters other than kind
  cells: number[]; // gold label x predicted label (none last) over all embedded documents, unfiltered; only those that occur
}

export const CONTEXT = 48; // characters shown on either side of a finding, and searched

export function wanted(f: Filters, kinds: number): Uint8Array {
  const on = new Uint8Array(kinds);
  if (f.kinds) for (const k of f.kinds) on[k] = 1;
  else on.fill(1, f.pair ? 0 : 1);
  return on;
}

export const filtered = (f: Filters): boolean => f.label >= 0 || f.doc >= 0 || !!(f.pair || f.q || f.len || f.conf || f.slice || f.flagged || f.is);

const NONE: ReadonlyMap<number, unknown> = new Map();

/** One pass over all spans in reading order: rows that pass, counts per kind, label pairs. */
export function find(c: Corpus, v: Verdicts, f: Filters, labels: number, kinds: number, search: Search, flags: ReadonlyMap<number, unknown> = NONE): Found {
  const { order, label, docFirst } = c;
  const { kind: kindOf, partner } = v;
  const n = partner.length;
  const size = labels + 1;
  const on = wanted(f, kinds);
  const [first, last] = f.doc < 0 ? [0, order.length] : [docFirst[f.doc], docFirst[f.doc + 1]];
  const deep = f.q !== "" || f.len !== null || f.conf !== null || f.flagged || f.is !== "";
  const rows = new Int32Array(order.length);
  const counts = new Int32Array(kinds);
  const cells: number[] = []; // with holes: of thousands of labels most pairs never occur
  let used = 0;
  for (let i = 0; i < order.length; i++) {
    const id = order[i];
    const kind = kindOf[id];
    if (kind < 0) continue;
    const pred = id < n ? partner[id] : id - n;
    const is = id < n ? label[id] : labels;
    const as = pred < 0 ? labels : label[n + pred];
    cells[is * size + as] = (cells[is * size + as] ?? 0) + 1;
    if (!named(f, is, as) || (f.slice && !sliced(c, f.slice, id < n ? id : -1, pred, kind)) || i < first || i >= last || (deep && !within(c, f, id < n ? id : -1, pred, search, flags))) continue;
    counts[kind]++;
    if (on[kind]) rows[used++] = id;
  }
  return { rows: rows.subarray(0, used), counts, cells };
}

/** Whether two labels pass the filters by label and by pair. */
const named = ({ label, pair }: Filters, gold: number, pred: number): boolean =>
  (label < 0 || gold === label || pred === label) && (!pair || (gold === pair[0] && pred === pair[1]));

/** Whether a finding is in a slice: by its document, or by its gold span, else its prediction. */
function sliced(c: Corpus, [way, slice]: [number, number], gold: number, pred: number, kind: number): boolean {
  const of = c.ways[way];
  if (of.doc) return of.doc[gold < 0 ? c.pred.doc[pred] : c.gold.doc[gold]] === slice;
  const alone = pred >= 0 && (gold < 0 || !of.meant.includes(kind)) && of.pred?.[pred] === slice;
  return alone || (gold >= 0 && of.gold?.[gold] === slice);
}

/** The filters that look at a finding itself: its length, how sure the prediction is, its words. */
function within(c: Corpus, f: Filters, gold: number, pred: number, search: Search, flags: ReadonlyMap<number, unknown>): boolean {
  if (f.flagged && !flags.has(gold) && (pred < 0 || !flags.has(c.gold.doc.length + pred))) return false;
  if (f.is && surface(c, gold, pred) !== f.is) return false;
  const [side, at] = gold < 0 ? [c.pred, pred] : [c.gold, gold];
  if (f.len && !between(f.len, side.end[at] - side.start[at])) return false;
  const score = pred < 0 ? null : (c.pred.score?.[pred] ?? null);
  if (f.conf && (score === null || !between(f.conf, score))) return false;
  return f.q === "" || search(c, gold, pred, side.doc[at], f.q);
}

const between = ([low, high]: Range, value: number): boolean => value >= low && value <= high;

/** Tells whether the words of a finding, or the name of its document, hold a word, without regard to case. */
export type Search = (c: Corpus, gold: number, pred: number, doc: number, q: string) => boolean;

/** Which documents hold the word is kept until the word changes. */
export function searcher(): Search {
  let asked = "";
  let held = new Int8Array(0); // of each document: 0 not asked yet, 1 in the text, -1 nowhere, 2 in the name
  return (c, gold, pred, doc, q) => {
    const { names } = c.raw;
    if (q !== asked || held.length !== names.length) held = new Int8Array(names.length);
    asked = q;
    const has = (text: string) => text.toLowerCase().includes(q.toLowerCase());
    const text = textOf(c, doc) ?? "";
    if (!held[doc]) held[doc] = has(names[doc]) ? 2 : has(text) ? 1 : waits(c.raw, doc) ? 0 : -1;
    if (held[doc] !== 1) return held[doc] === 2;
    const [from, to] = extent(c, gold, pred);
    return has(text.slice(Math.max(0, from - CONTEXT), to + CONTEXT));
  };
}

/** First and last place of a finding in the shown text. */
export function extent(c: Corpus, gold: number, pred: number): [from: number, to: number] {
  if (gold < 0) return [c.pred.start16[pred], c.pred.end16[pred]];
  if (pred < 0) return [c.gold.start16[gold], c.gold.end16[gold]];
  return [Math.min(c.gold.start16[gold], c.pred.start16[pred]), Math.max(c.gold.end16[gold], c.pred.end16[pred])];
}

/** The place in rows of the id, or of the next one in reading order, so that the eye stays where it was. */
export function nearest(c: Corpus, rows: Int32Array, id: number, sort = ""): number {
  if (id < 0 || !rows.length) return rows.length ? 0 : -1;
  if (sort) return Math.max(0, rows.indexOf(id));
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (c.rank[rows[middle]] < c.rank[id]) low = middle + 1;
    else high = middle;
  }
  return low;
}
