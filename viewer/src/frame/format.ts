import type { Num } from "./types";

export const NONE = "–";

/** A rate with the given digits; a dash where it is not defined. A tie goes to the even digit, as Python has it. */
export function rate(value: Num, digits = 4): string {
  if (value === null) return NONE;
  const long = value.toFixed(digits + 20); // ties are short: 0.03125
  const cut = long.slice(0, -20);
  return minus(/^50*$/.test(long.slice(-20)) && "02468".includes(cut.slice(-1)) ? cut : value.toFixed(digits));
}

/** A number with the sign that is as wide as a plus. */
export const minus = (text: string): string => text.replace(/^-(?=\d)/, "\u2212");

/** A count for reading, with a thin space between thousands. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, "\u2009");

/** A threshold: two digits, more only where it has them. */
export function threshold(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value ? short : String(Number(value.toFixed(6)));
}

/** Rates whose names are not written as other words are. */
const NAMES: Record<string, string> = {
  span_f1: "Span F1",
  iou: "IoU",
  mrr: "MRR",
  recip_rank: "MRR",
  map: "MAP",
  map_cut: "MAP",
  ndcg: "nDCG",
  ndcg_cut: "nDCG",
  P: "Precision",
  r_precision: "R-precision",
  Rprec: "R-precision",
  bpref: "bpref",
};

/** The name of an average or a rate as it stands over a column. */
export const title = (name: string): string => {
  const plain = name.replaceAll("_", " ");
  return NAMES[name] ?? (/^f[0-9.]+$/.test(name) ? name.toUpperCase() : plain.charAt(0).toUpperCase() + plain.slice(1));
};

/** A measure in a few letters, without its family and the names of its parameters: relaxed(0.5). */
export const brief = (short: string): string => short.replace(/^\w+\./, "").replace(/\w+=/g, "");

/** What a family calls its documents: one, and several. */
export const nounsOf = (family: string): [string, string] => (family === "passages" ? ["query", "queries"] : ["document", "documents"]);

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** What stands in an empty search field: the key that leads there, too, where there are keys. */
export const seek = (word: string): string => (matchMedia("(pointer: coarse)").matches ? word : `${word} /`);
