import type { Num } from "./types";

export const NONE = "–";

/** A rate with the given digits; a dash where it is not defined. */
export const rate = (value: Num, digits = 4): string => (value === null ? NONE : value.toFixed(digits));

/** A count for reading, with a thin space between thousands. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009");

/** A threshold: two digits, more only where it has them. */
export function threshold(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value ? short : String(Number(value.toFixed(6)));
}

/** The name of an average or a rate as it stands over a column. */
export const title = (name: string): string => {
  const plain = name.replaceAll("_", " ");
  return plain === "f1" ? "F1" : plain.charAt(0).toUpperCase() + plain.slice(1);
};

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;
