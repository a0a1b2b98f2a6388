import type { RawCorpus, Side } from "./types";

export interface Spans {
  doc: Int32Array;
  start: Int32Array;
  end: Int32Array;
  label: Int32Array;
  from: Int32Array; // offsets into the shown text, in UTF-16 units
  to: Int32Array;
  score: (number | null)[] | null;
}

export interface Runs {
  first: Int32Array;
  from: Int32Array;
  kind: Int32Array;
  pred: Int32Array | null;
}

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

const ints = (values: number[]): Int32Array => new Int32Array(values);

function spans(side: Side): Spans {
  return {
    doc: ints(side.doc),
    start: ints(side.start),
    end: ints(side.end),
    label: ints(side.label),
    from: ints(side.start16),
    to: ints(side.end16),
    score: side.score ?? null,
  };
}

export function build(raw: RawCorpus): Corpus {
  const gold = spans(raw.gold);
  const pred = spans(raw.pred);
  const { order, docFirst } = arrange(gold, pred, raw.names.length);
  const rank = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) rank[order[i]] = i;
  const g = raw.gold_runs;
  const p = raw.pred_runs;
  return {
    raw,
    gold,
    pred,
    goldRuns: { first: ints(g.first), from: ints(g.from), kind: ints(g.kind), pred: ints(g.pred) },
    predRuns: { first: ints(p.first), from: ints(p.from), kind: ints(p.kind), pred: null },
    order,
    rank,
    docFirst,
  };
}

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
