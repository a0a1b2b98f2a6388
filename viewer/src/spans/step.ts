import type { Corpus } from "./corpus";
import type { Runs } from "./types";

/** The verdict on every span at one step of the slider. -1: none (not counted, or told by its gold span). */
export interface Verdicts {
  gold: Int8Array; // kind of each gold span
  partner: Int32Array; // its prediction, or -1
  pred: Int8Array; // kind of each prediction that stands alone
  of: Int32Array; // the gold span a prediction belongs to, or -1
}

/** The run in force for span i at this step: the last one with from <= step; -1 if none has begun. */
export function runAt(runs: Runs, i: number, step: number): number {
  let found = -1;
  for (let r = runs.first[i]; r < runs.first[i + 1] && runs.from[r] <= step; r++) found = r;
  return found;
}

export function verdictsAt(c: Corpus, step: number): Verdicts {
  const n = c.gold.doc.length;
  const m = c.pred.doc.length;
  const out: Verdicts = {
    gold: new Int8Array(n).fill(-1),
    partner: new Int32Array(n).fill(-1),
    pred: new Int8Array(m).fill(-1),
    of: new Int32Array(m).fill(-1),
  };
  const partner = c.goldRuns.pred;
  for (let i = 0; i < n; i++) {
    const r = runAt(c.goldRuns, i, step);
    if (r < 0) continue;
    out.gold[i] = c.goldRuns.kind[r];
    const p = partner ? partner[r] : -1;
    out.partner[i] = p;
    if (p >= 0) out.of[p] = i;
  }
  for (let i = 0; i < m; i++) {
    const r = runAt(c.predRuns, i, step);
    if (r >= 0) out.pred[i] = c.predRuns.kind[r];
  }
  return out;
}

/** The kind shown for a span: its own, or for a prediction in a pair its gold span's. */
export function kindOf(c: Corpus, v: Verdicts, id: number): number {
  const n = c.gold.doc.length;
  if (id < n) return v.gold[id];
  const own = v.pred[id - n];
  return own >= 0 || v.of[id - n] < 0 ? own : v.gold[v.of[id - n]];
}

/** Gold and predicted row of the finding an id stands for; -1 where there is none. */
export function pairOf(c: Corpus, v: Verdicts, id: number): [gold: number, pred: number] {
  const n = c.gold.doc.length;
  if (id < n) return [id, v.partner[id]];
  return [v.of[id - n], id - n];
}

/** The id under which a span's finding is listed: the gold span's where there is one. */
export function listed(c: Corpus, v: Verdicts, id: number): number {
  const n = c.gold.doc.length;
  return id >= n && v.of[id - n] >= 0 ? v.of[id - n] : id;
}
