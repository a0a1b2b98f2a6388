import type { Num } from "../frame/types";
import type { Payload, Row } from "./types";

/** A difference by the names of its parts. */
export interface Line {
  at: number; // its place among all rows: the order in which Python has them
  measure: number;
  rate: string;
  average: string;
  label: string | null;
  reading: string;
  base: Num;
  value: Num;
  difference: Num;
  low: Num;
  high: Num;
  p: Num;
  adjusted: Num;
  smallest: Num;
  over: [base: number, own: number]; // documents
}

export function lineOf(row: Row, at: number, readings: string[]): Line {
  const [measure, , rate, average, label, reading, base, value, difference, low, high, p, adjusted, smallest, first, second] = row;
  return { at, measure, rate, average, label, reading: readings[reading], base, value, difference, low, high, p, adjusted, smallest, over: [first, second] };
}

/** The differences of one run, overall ones or those of labels. */
export function linesOf(p: Payload, run: number, labels: boolean): Line[] {
  const out: Line[] = [];
  p.rows.forEach((row, at) => row[1] === run && (row[4] !== null) === labels && out.push(lineOf(row, at, p.readings)));
  return out;
}

/** Whether the two figures differ at all; undefined in both is the same. */
export const differs = (line: Line): boolean => line.difference !== 0 && !(line.base === null && line.value === null);

/** Whether the interval holds zero; null where there is none. */
export const holdsZero = (line: Line): boolean | null => (line.low === null || line.high === null ? null : line.low <= 0 && line.high >= 0);

/** The overall figure that stands in the head of the page. */
export function headLine(p: Payload, run: number): Line | undefined {
  return linesOf(p, run, false).find((line) => line.measure === 0 && line.rate === p.head.rate && line.average === p.head.average);
}

export type Column = "base" | "value" | "difference" | "adjusted" | "label" | "smallest";

/** Lines by a column, undefined ones last; without a column as Python has them. */
export function sorted(lines: Line[], by: string): Line[] {
  const down = by.startsWith("-");
  const column = by.replace(/^-/, "") as Column;
  if (!by || !lines.length || !(column in lines[0])) return lines;
  const way = down ? -1 : 1;
  return lines.slice().sort((a, b) => {
    const [x, y] = [a[column], b[column]];
    if (x === null || y === null) return x === y ? a.at - b.at : x === null ? 1 : -1;
    return (x < y ? -way : x > y ? way : 0) || a.at - b.at;
  });
}

const unit = (line: Line): boolean => [line.base, line.value, line.difference, line.low, line.high].every((v) => v === null || Math.abs(v) <= 1);

/** How far the line of each difference reaches: one scale for all rates up to 1, one for each other rate. */
export function scales(lines: Line[]): { shared: number; of: (line: Line) => [reach: number, shared: boolean] } {
  const far = (line: Line) => Math.max(...[line.low, line.high, line.difference].map((v) => Math.abs(v ?? 0)));
  const name = (line: Line) => `${line.measure} ${line.rate}`;
  const odd = new Map<string, number>();
  for (const line of lines) if (!unit(line)) odd.set(name(line), 0);
  let shared = 0;
  for (const line of lines) {
    if (odd.has(name(line))) odd.set(name(line), Math.max(odd.get(name(line))!, far(line)));
    else shared = Math.max(shared, far(line));
  }
  return { shared, of: (line) => (odd.has(name(line)) ? [odd.get(name(line))!, false] : [shared, true]) };
}

/** What the intervals of a table say together, without making more of them than they are. */
export function honest(lines: Line[]): string {
  const known = lines.filter((line) => holdsZero(line) !== null);
  const zero = known.filter(holdsZero).length;
  const n = known.length;
  if (!n) return "There are no intervals here.";
  if (zero === n) return n === 1 ? "The interval includes zero." : `All ${n} intervals include zero.`;
  if (!zero) return n === 1 ? "The interval does not include zero." : `None of the ${n} intervals includes zero.`;
  return `${zero} of ${n} intervals include zero.`;
}
