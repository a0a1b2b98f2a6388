import type { RawCorpus, Runs, Spans } from "./types";

/** Everything the page asks of the documents. A span's id is its row among gold, or gold's length plus its row. */
export interface Corpus {
  raw: RawCorpus;
  gold: Spans;
  pred: Spans;
  goldRuns: Runs;
  predRuns: Runs;
  order: Int32Array; // all ids by document, start, end, gold first
  rank: Int32Array; // where an id stands in order
  docFirst: Int32Array; // document -> first place in order, and one more
}

export function build(raw: RawCorpus): Corpus {
  const { gold, pred } = raw;
  const { order, docFirst } = arrange(gold, pred, raw.names.length);
  const rank = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) rank[order[i]] = i;
  return { raw, gold, pred, goldRuns: raw.gold_runs, predRuns: raw.pred_runs, order, rank, docFirst };
}

/** The text of a document as it is shown; null where it is withheld. */
export const textOf = (c: Corpus, doc: number): string | null => c.raw.texts[doc];

/** Ids by document (counted into place), then by start, end and side inside each document. */
export function arrange(gold: Spans, pred: Spans, documents: number): { order: Int32Array; docFirst: Int32Array } {
  const n = gold.doc.length;
  const total = n + pred.doc.length;
  const docFirst = new Int32Array(documents + 1);
  for (let i = 0; i < n; i++) docFirst[gold.doc[i] + 1]++;
  for (let i = n; i < total; i++) docFirst[pred.doc[i - n] + 1]++;
  for (let d = 0; d < documents; d++) docFirst[d + 1] += docFirst[d];
  const next = docFirst.slice();
  const order = new Int32Array(total);
  for (let i = 0; i < n; i++) order[next[gold.doc[i]]++] = i;
  for (let i = n; i < total; i++) order[next[pred.doc[i - n]]++] = i;
  const start = (id: number) => (id < n ? gold.start[id] : pred.start[id - n]);
  const end = (id: number) => (id < n ? gold.end[id] : pred.end[id - n]);
  const before = (a: number, b: number) => start(a) - start(b) || end(a) - end(b) || a - b;
  for (let d = 0; d < documents; d++) {
    const part = order.subarray(docFirst[d], docFirst[d + 1]);
    if (part.length > SMALL) part.sort(before);
    else insert(part, before);
  }
  return { order, docFirst };
}

const SMALL = 40;

/** Most documents have few spans, nearly in order: sorting in place beats the general sort many times over. */
function insert(part: Int32Array, before: (a: number, b: number) => number): void {
  for (let i = 1; i < part.length; i++) {
    const id = part[i];
    let at = i;
    for (; at > 0 && before(part[at - 1], id) > 0; at--) part[at] = part[at - 1];
    part[at] = id;
  }
}

export const isGold = (c: Corpus, id: number): boolean => id < c.gold.doc.length;
export const docOf = (c: Corpus, id: number): number =>
  isGold(c, id) ? c.gold.doc[id] : c.pred.doc[id - c.gold.doc.length];
