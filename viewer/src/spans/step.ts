import type { Corpus } from "./corpus";
import type { Runs } from "./types";

/** The verdict on every span at one step of the slider. -1: none (not counted, or told by its gold span). */
export interface Verdicts {
  kind: Int8Array; // of each id: a prediction has one of its own where it stands alone
  partner: Int32Array; // the prediction of each gold span, or -1
  of: Int32Array; // the gold span a prediction belongs to, or -1
  run: Int32Array; // the run in force of each gold span, or -1
}

/** Runs by the step at which they begin: those of step s stand from at[s] on. */
interface Begun {
  at: Int32Array;
  run: Int32Array;
  span: Int32Array;
}

function begun(runs: Runs, steps: number): Begun {
  const total = runs.from.length;
  const at = new Int32Array(steps + 1);
  for (let r = 0; r < total; r++) at[runs.from[r] + 1]++;
  for (let s = 0; s < steps; s++) at[s + 1] += at[s];
  const next = at.slice();
  const run = new Int32Array(total);
  const span = new Int32Array(total);
  for (let i = 0; i + 1 < runs.first.length; i++)
    for (let r = runs.first[i]; r < runs.first[i + 1]; r++) {
      const to = next[runs.from[r]]++;
      run[to] = r;
      span[to] = i;
    }
  return { at, run, span };
}

/**
 * A function that gives the verdicts at a step. It moves from the last step asked for: only spans whose run begins or
 * ends on the way are touched. It gives a new object over the same arrays: the one before is no longer to be read.
 */
export function stepper(c: Corpus): (step: number) => Verdicts {
  const n = c.gold.doc.length;
  const kind = new Int8Array(c.order.length).fill(-1);
  const partner = new Int32Array(n).fill(-1);
  const of = new Int32Array(c.pred.doc.length);
  const force = new Int32Array(n).fill(-1);
  const sides = [c.goldRuns, c.predRuns].map((runs) => ({ ...runs, ...begun(runs, c.raw.steps.length) }));
  let now = -1;
  /** Put the runs in force that begin at this step, or (back) those before them. */
  const move = (step: number, back: 0 | 1) =>
    sides.forEach(({ at, run, span, first, kind: kinds, pred }, side) => {
      for (let i = at[step]; i < at[step + 1]; i++) {
        const r = run[i] - back;
        const known = r >= first[span[i]];
        kind[side * n + span[i]] = known ? kinds[r] : -1;
        if (!pred) continue;
        partner[span[i]] = known ? pred[r] : -1;
        force[span[i]] = known ? r : -1;
      }
    });
  return (step) => {
    while (now < step) move(++now, 0);
    while (now > step) move(now--, 1);
    of.fill(-1);
    for (let i = 0; i < n; i++) if (partner[i] >= 0) of[partner[i]] = i;
    return { kind, partner, of, run: force };
  };
}

/** The kind shown for a span: its own, or for a prediction in a pair its gold span's. */
export function kindOf(v: Verdicts, id: number): number {
  const of = id < v.partner.length ? -1 : v.of[id - v.partner.length];
  return v.kind[id] >= 0 || of < 0 ? v.kind[id] : v.kind[of];
}

/** Gold and predicted row of the finding an id stands for; -1 where there is none. */
export function pairOf(v: Verdicts, id: number): [gold: number, pred: number] {
  const n = v.partner.length;
  if (id < n) return [id, v.partner[id]];
  return [v.of[id - n], id - n];
}

/** The id under which a span's finding is listed: the gold span's where there is one. */
export function listed(v: Verdicts, id: number): number {
  const n = v.partner.length;
  return id >= n && v.of[id - n] >= 0 ? v.of[id - n] : id;
}
