import { about } from "./filter";
import type { Changed, Side } from "./types";

/** What a change is about, as an address has it: gold or a prediction, its place, its label. */
function plain({ corpus: c, labels }: Changed, row: number): string {
  const own = about(c, row);
  const side = (["gold", "a", "b"] as Side[]).find((one) => own[one] >= 0) ?? "gold";
  const at = own[side];
  return `${side === "gold" ? "gold" : "pred"}:${c[side].start[at]}-${c[side].end[at]}:${labels[c.rows.label[row]]}`;
}

/** A change in an address: its document, and its span; "~2" after the place for the second of equal ones. */
export function rowName(changed: Changed, row: number): [document: string, span: string] {
  const { rows, names } = changed.corpus;
  const own = plain(changed, row);
  let nth = 1;
  for (let i = row - 1; i >= 0 && rows.doc[i] === rows.doc[row]; i--) if (plain(changed, i) === own) nth++;
  return [names[rows.doc[row]], numbered(own, nth)];
}

const numbered = (name: string, nth: number): string => (nth < 2 ? name : name.replace(/^\w+:\d+-\d+/, (place) => `${place}~${nth}`));

/** The change of that name, or -1. */
export function rowNamed(changed: Changed, document: string, span: string): number {
  const { rows, names } = changed.corpus;
  const doc = names.indexOf(document);
  const first = doc < 0 ? -1 : rows.doc.indexOf(doc);
  const seen = new Map<string, number>();
  for (let row = first; row >= 0 && rows.doc[row] === doc; row++) {
    const own = plain(changed, row);
    const nth = (seen.get(own) ?? 0) + 1;
    seen.set(own, nth);
    if (numbered(own, nth) === span) return row;
  }
  return -1;
}
