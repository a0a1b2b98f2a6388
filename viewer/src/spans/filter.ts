import { textOf, type Corpus } from "./corpus";
import type { Verdicts } from "./step";

export interface Filters {
  kinds: number[] | null; // null: every error; with a pair, every finding
  label: number; // -1: any
  pair: [gold: number, pred: number] | null; // the code after the last label stands for none
  doc: number; // -1: any
  q: string;
}

export interface Found {
  rows: Int32Array; // ids, in reading order
  counts: Int32Array; // findings per kind under the filters other than kind
  cells: Int32Array; // gold label x predicted label (none last) over all embedded documents, unfiltered
}

export const CONTEXT = 48; // characters shown on either side of a finding, and searched

export function wanted(f: Filters, kinds: number): Uint8Array {
  const on = new Uint8Array(kinds);
  if (f.kinds) for (const k of f.kinds) on[k] = 1;
  else on.fill(1, f.pair ? 0 : 1);
  return on;
}

export const filtered = (f: Filters): boolean => f.label >= 0 || f.pair !== null || f.doc >= 0 || f.q !== "";

/** One pass over all spans in reading order: rows that pass, counts per kind, label pairs. */
export function find(c: Corpus, v: Verdicts, f: Filters, labels: number, kinds: number, lower: Lower): Found {
  const n = c.gold.doc.length;
  const on = wanted(f, kinds);
  const rows = new Int32Array(c.order.length);
  const counts = new Int32Array(kinds);
  const cells = new Int32Array((labels + 1) * (labels + 1));
  let used = 0;
  for (let i = 0; i < c.order.length; i++) {
    const id = c.order[i];
    const gold = id < n;
    const kind = gold ? v.gold[id] : v.pred[id - n];
    if (kind < 0) continue;
    const pred = gold ? v.partner[id] : id - n;
    const a = gold ? c.gold.label[id] : labels;
    const b = pred >= 0 ? c.pred.label[pred] : labels;
    cells[a * (labels + 1) + b]++;
    if (f.label >= 0 && a !== f.label && b !== f.label) continue;
    if (f.pair && (a !== f.pair[0] || b !== f.pair[1])) continue;
    const doc = gold ? c.gold.doc[id] : c.pred.doc[id - n];
    if (f.doc >= 0 && doc !== f.doc) continue;
    if (f.q && !lower.hit(c, gold ? id : -1, pred, doc, f.q)) continue;
    counts[kind]++;
    if (on[kind]) rows[used++] = id;
  }
  return { rows: rows.slice(0, used), counts, cells };
}

/** Text search without regard to case. Which documents hold the word is kept until the word changes. */
export class Lower {
  private q = "";
  private inText: Int8Array = new Int8Array(0); // 0 not asked yet, 1 yes, -1 no, 2 in the name

  hit(c: Corpus, gold: number, pred: number, doc: number, q: string): boolean {
    if (q !== this.q || this.inText.length !== c.raw.names.length) {
      this.q = q;
      this.inText = new Int8Array(c.raw.names.length);
    }
    const word = q.toLowerCase();
    const text = textOf(c, doc);
    if (this.inText[doc] === 0) {
      const named = c.raw.names[doc].toLowerCase().includes(word);
      this.inText[doc] = named ? 2 : text !== null && text.toLowerCase().includes(word) ? 1 : -1;
    }
    if (this.inText[doc] !== 1 || text === null) return this.inText[doc] === 2;
    const [from, to] = extent(c, gold, pred);
    return text.slice(Math.max(0, from - CONTEXT), to + CONTEXT).toLowerCase().includes(word);
  }
}

/** First and last place of a finding in the shown text. */
export function extent(c: Corpus, gold: number, pred: number): [from: number, to: number] {
  if (gold < 0) return [c.pred.start16[pred], c.pred.end16[pred]];
  if (pred < 0) return [c.gold.start16[gold], c.gold.end16[gold]];
  return [Math.min(c.gold.start16[gold], c.pred.start16[pred]), Math.max(c.gold.end16[gold], c.pred.end16[pred])];
}

/** The place in rows of the id, or of the next one in reading order, so that the eye stays where it was. */
export function nearest(c: Corpus, rows: Int32Array, id: number): number {
  if (id < 0 || !rows.length) return rows.length ? 0 : -1;
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (c.rank[rows[middle]] < c.rank[id]) low = middle + 1;
    else high = middle;
  }
  return low;
}
