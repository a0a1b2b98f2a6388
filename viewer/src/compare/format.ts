import { NONE, nounsOf, rate } from "../frame/format";
import type { Num } from "../frame/types";

/** A difference with its sign; nothing before a zero. */
export function signed(value: Num, digits = 4): string {
  const text = rate(value, digits);
  if (value === null || /^\u2212?0\.?0*$/.test(text)) return text.replace("\u2212", "");
  return value > 0 ? `+${text}` : text;
}

/** A p-value: never 0. */
export const pValue = (value: Num): string => (value === null ? NONE : value >= 0.0001 ? value.toFixed(4) : "<0.0001");

export const average = (name: string, family: string): string => (name === "document" ? `mean over ${nounsOf(family)[1]}` : name);

/** A round number that is not below the value: 1, 1.5, 2, 3, 4, 5, 7 and their tens and tenths. */
export function nice(value: number): number {
  if (!(value > 0)) return 1;
  const ten = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 1.5, 2, 3, 4, 5, 7, 10]) if (step * ten >= value * (1 - 1e-12)) return Number((step * ten).toPrecision(3));
  return 10 * ten;
}

/** The end of a scale, with no more digits than it has. */
export const ends = (value: number): string => String(Number(value.toPrecision(3)));
