import type { Figure, Run } from "./types";

export interface Column {
  key: string;
  measure: string;
  rate: string;
  average: string;
  better: "higher" | "lower" | null;
}

export interface Gold {
  key: string; // the beginning of what gold is
  name: string;
  runs: Run[];
}

/** What tells a figure from others. */
export const keyOf = (one: Pick<Figure, "measure" | "rate" | "average">) => `${one.measure} ${one.rate} ${one.average}`;

/** The golds that runs were scored against, the one with most runs first. */
export function golds(runs: Run[]): Gold[] {
  const found = new Map<string, Gold>();
  for (const run of runs) {
    if (!run.gold || !run.figures.length) continue;
    const key = run.gold.slice(0, 12);
    const own = found.get(key) ?? { key, name: run.inputs[0]?.split("/").pop() ?? "gold", runs: [] };
    own.runs.push(run);
    found.set(key, own);
  }
  return [...found.values()].sort((one, other) => other.runs.length - one.runs.length);
}

/** The figures that some run has, those of the newest run first. */
export function columns(runs: Run[]): Column[] {
  const found = new Map<string, Column>();
  for (const run of runs) {
    for (const one of run.figures) {
      const { measure, rate, average, better } = one;
      if (!found.has(keyOf(one))) found.set(keyOf(one), { key: keyOf(one), measure, rate, average, better: better ?? null });
    }
  }
  return [...found.values()];
}

/** Runs with their ranks by a figure, the best first; equal values share a rank, runs without the figure have none. */
export function ranked(runs: Run[], by: Column | undefined): { run: Run; rank: number | null }[] {
  const value = (run: Run) => (by ? (run.figures.find((one) => keyOf(one) === by.key)?.value ?? null) : null);
  const sign = by?.better === "lower" ? 1 : -1;
  const known = runs.filter((run) => value(run) !== null).sort((one, other) => sign * (value(one)! - value(other)!));
  const lines = known.map((run) => ({ run, rank: 1 + known.findIndex((other) => value(other) === value(run)) }));
  return [...lines, ...runs.filter((run) => value(run) === null).map((run) => ({ run, rank: null }))];
}
