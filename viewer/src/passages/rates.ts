import { title } from "../frame/format";
import type { Coded, Num, Row } from "../frame/types";
import type { Column, Payload, Queries } from "./types";

const SHORT: Record<string, string> = {
  recall: "R",
  precision: "P",
  P: "P",
  hit: "Hit",
  success: "Hit",
  ndcg: "nDCG",
  ndcg_cut: "nDCG",
  map_cut: "MAP",
  exact_match: "EM",
  r_precision: "R-prec",
  Rprec: "R-prec",
};
const ALL = 1_000_000; // the cutoff of measures that look at everything

/** The number of a measure's column at a step of the cutoffs. */
export const measureAt = (column: Column, step: number): number => column.measures[Math.min(step, column.measures.length - 1)];

export const figureAt = (q: Queries, column: Column, step: number): Coded => q.figures[`${measureAt(column, step)}.${column.rate}`];

export function valueOf(coded: Coded, row: number): Num {
  const at = coded.at[row];
  return at < 0 ? null : coded.values[at];
}

/** What the page itself and tests call a column. */
export const keyOf = (column: Column): string => `${column.measures[0]}.${column.rate}`;

/** What links call a column: its rate, and where several have it, its measure as well. */
export function nameOf(q: Queries, measures: Payload["measures"], column: Column): string {
  const alone = q.columns.filter((one) => one.rate === column.rate).length < 2;
  return alone ? column.rate : `${column.rate} ${measures[column.measures[0]].form}`;
}

/** The column of such a name, or of the key that links of earlier pages have. */
export const columnNamed = (q: Queries, measures: Payload["measures"], name: string): Column | undefined =>
  q.columns.find((one) => nameOf(q, measures, one) === name) ?? q.columns.find((one) => keyOf(one) === name);

/** The cutoff of a column at a step; null where it has none. */
export function cutoffOf(q: Queries, column: Column, step: number): number | null {
  const k = column.measures.length > 1 ? q.cutoffs[step] : column.k;
  return k === null || k === undefined || k >= ALL || column.rate === "r_precision" ? null : k;
}

/** A column's name over its figures: "R@10". */
export function short(q: Queries, column: Column, step: number): string {
  const k = cutoffOf(q, column, step);
  if (k === null) return column.rate === "recall" || column.rate === "precision" ? title(column.rate) : (SHORT[column.rate] ?? title(column.rate));
  return `${SHORT[column.rate] ?? title(column.rate)}@${k}`;
}

/** The same in full: "Recall at 10". */
export function long(q: Queries, column: Column, step: number): string {
  const k = cutoffOf(q, column, step);
  return k === null ? title(column.rate) : `${title(column.rate)} at ${k}`;
}

/** The columns that are shown first: what leads, then by measure as Python has put them; of each rate the first measure's. */
export function mains(q: Queries, most: number): Column[] {
  const order = [...new Set(q.columns.map((column) => column.measures[0]))];
  const chosen = q.columns.filter((column) => column.main >= 0);
  const head = q.columns[q.head];
  chosen.sort((a, b) => Number(b === head) - Number(a === head) || order.indexOf(a.measures[0]) - order.indexOf(b.measures[0]) || a.main - b.main);
  return chosen.filter((column, i) => chosen.findIndex((other) => other.rate === column.rate) === i).slice(0, most);
}

/** Those of the first measure and of the cutoffs: what stands in rows and in the header. */
export function leading(q: Queries, most: number): Column[] {
  const head = q.columns[q.head].measures[0];
  return mains(q, q.columns.length).filter((column) => column.measures[0] === head || column.measures.length > 1).slice(0, most);
}

/** The mean over queries of a rate, with its interval. */
export function overall(p: Payload, column: Column, step: number): Row | undefined {
  const measure = measureAt(column, step);
  return p.rows.find((row) => row[0] === measure && row[1] === column.rate && row[2] === "document" && row[3] === null);
}
