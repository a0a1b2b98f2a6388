import type { RawCorpus, Runs, Spans, Way } from "./types";

/** Everything the page asks of the documents. A span's id is its row among gold, or gold's length plus its row. */
export interface Corpus {
  raw: RawCorpus;
  gold: Spans;
  pred: Spans;
  goldRuns: Runs;
  predRuns: Runs;
  label: Int32Array; // of each id
  order: Int32Array; // all ids by document, start, end, gold first
  rank: Int32Array; // where an id stands in order
  ways: Way[];
  docFirst: Int32Array; // document -> first place in order, and one more
}

export function build(raw: RawCorpus): Corpus {
  raw.texts ??= new Array<string | undefined>(raw.names.length);
  const { gold, pred } = raw;
  const { order, docFirst } = arrange(gold, pred, raw.names.length);
  const rank = new Int32Array(order.length);
  for (let i = 0; i < order.length; i++) rank[order[i]] = i;
  const label = new Int32Array(order.length);
  label.set(gold.label);
  label.set(pred.label, gold.label.length);
  return { raw, gold, pred, goldRuns: raw.gold_runs, predRuns: raw.pred_runs, label, order, rank, ways: Object.values(raw.ways), docFirst };
}

/** The text of a document as it is shown; null where it is withheld or still to come (`waits` in texts.ts). */
export const textOf = (c: Corpus, doc: number): string | null => c.raw.texts[doc] ?? null;

/** Ids of both sides, each sorted by document, start and end, laid into one order; gold first at the same place. */
export function arrange(gold: Spans, pred: Spans, documents: number): { order: Int32Array; docFirst: Int32Array } {
  const n = gold.doc.length;
  const order = new Int32Array(n + pred.doc.length);
  const docFirst = new Int32Array(documents + 1);
  let g = 0;
  let p = 0;
  for (let i = 0; i < order.length; i++) {
    const first =
      p === pred.doc.length || (g < n && (gold.doc[g] - pred.doc[p] || gold.start[g] - pred.start[p] || gold.end[g] - pred.end[p]) <= 0);
    docFirst[(first ? gold.doc[g] : pred.doc[p]) + 1]++;
    order[i] = first ? g++ : n + p++;
  }
  for (let d = 0; d < documents; d++) docFirst[d + 1] += docFirst[d];
  return { order, docFirst };
}

export const docOf = (c: Corpus, id: number): number =>
  id < c.gold.doc.length ? c.gold.doc[id] : c.pred.doc[id - c.gold.doc.length];
