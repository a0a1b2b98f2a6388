import { figureAt, keyOf } from "./rates";
import type { Column, Queries } from "./types";

/** What is asked of the list. */
export interface Filters {
  q: string;
  miss: boolean;
}

const LAST = 0x7fffffff;

/** A column and the other rates of its measure: what Python orders queries by, the worst first. */
export function keysOf(q: Queries, sort: string): Column[] {
  const wanted = q.columns.find((column) => keyOf(column) === sort) ?? q.columns[q.head];
  const others = q.columns.filter((column) => column.measures[0] === wanted.measures[0] && column !== wanted);
  return [wanted, ...others];
}

/** The rows in their order: as in the file, by name, by the first answer's rank, or the worst first by a rate. */
export function ordered(q: Queries, rows: Int32Array, sort: string, step: number): Int32Array {
  if (sort === "order") return rows;
  if (sort === "name") return rows.slice().sort((a, b) => (q.names[a] < q.names[b] ? -1 : q.names[a] > q.names[b] ? 1 : a - b));
  const keys = sort === "first" ? [q.first.map((rank, row) => (q.due[row] ? -(rank || LAST) : 1))] : keysOf(q, sort).map((column) => tiers(q, column, step));
  return rows.slice().sort((a, b) => {
    for (const key of keys) if (key[a] !== key[b]) return key[a] - key[b];
    return a - b;
  });
}

/** The place of each row's value between worst and best; undefined ones last. */
function tiers(q: Queries, column: Column, step: number): Int32Array {
  const { at, tier } = figureAt(q, column, step);
  return at.map((number) => (number < 0 ? LAST : tier[number]));
}

/** Whether nothing that was looked for is among the first k passages. */
export const misses = (q: Queries, row: number, k: number | null): boolean =>
  q.due[row] === 1 && (q.first[row] === 0 || (k !== null && q.first[row] > k));

/** Whether each query has some words in its name, its answers or its passages, whatever their case. */
export class Words {
  private lower: string[] | null = null;
  private names: string[] | null = null;

  constructor(private readonly q: Queries) {}

  find(words: string): (row: number) => boolean {
    const { q } = this;
    const wanted = words.toLowerCase();
    this.lower ??= q.strings.map((text) => text.toLowerCase());
    this.names ??= q.names.map((name, i) => `${name} ${q.asked?.[i] ?? ""}`.toLowerCase());
    const names = this.names;
    const has = Uint8Array.from(this.lower, (text) => (text.includes(wanted) ? 1 : 0));
    const inside = (columns: Int32Array[], from: number, to: number) => {
      for (let i = from; i < to; i++) for (const column of columns) if (column[i] >= 0 && has[column[i]]) return true;
      return false;
    };
    const { gold, passages } = q;
    return (row) =>
      names[row].includes(wanted) ||
      inside([gold.text, gold.file, gold.name], gold.edges[row], gold.edges[row + 1]) ||
      inside([passages.text, passages.file, passages.name], passages.edges[row], passages.edges[row + 1]);
  }
}

/** The rows that pass the filters, in the order of the file. */
export function filtered(q: Queries, filters: Filters, k: number | null, words: Words): Int32Array {
  const has = filters.q ? words.find(filters.q) : null;
  const out: number[] = [];
  for (let row = 0; row < q.names.length; row++) {
    if (filters.miss && !misses(q, row, k)) continue;
    if (!has || has(row)) out.push(row);
  }
  return Int32Array.from(out);
}
