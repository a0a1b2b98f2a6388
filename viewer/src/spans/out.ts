import { ALIKE, findingOf, tells, type Finding } from "./finding";
import type { Model } from "./model";
import type { Verdicts } from "./step";

/** A finding as a line of JSON, with the names that `Result.matches` uses. */
export const asJson = ({ alike, ...rest }: Finding): string =>
  JSON.stringify({ ...rest, score: alike.score, iou: alike.iou, text_ratio: alike.text });

const SIDES = ["gold", "pred"] as const;
const columns = (texts: boolean) => ["start", "end", "label", ...(texts ? ["text"] : [])] as ("start" | "end" | "label" | "text")[];

export const heads = (texts: boolean): string[] => [
  "document",
  "kind",
  ...SIDES.flatMap((side) => columns(texts).map((name) => `${side}_${name}`)),
  ...ALIKE.map((name) => (name === "text" ? "text_ratio" : name)),
];

/** The cells of a finding; what there is not is empty. */
export const cells = (one: Finding, texts: boolean): string[] =>
  [one.document, one.kind, ...SIDES.flatMap((side) => columns(texts).map((name) => one[side]?.[name])), ...ALIKE.map((name) => one.alike[name])].map(
    (value) => String(value ?? ""),
  );

/** A field of CSV: in quotes where it holds what would end it. */
const field = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** The findings as they are listed, one a line. */
export function listing(model: Model, v: Verdicts, rows: Iterable<number>, csv: boolean): string {
  const texts = tells(model);
  const out = csv ? [heads(texts).join()] : [];
  for (const id of rows) {
    const one = findingOf(model, v, id);
    out.push(csv ? cells(one, texts).map(field).join() : asJson(one));
  }
  return out.concat("").join("\n");
}

/** One row for a spreadsheet: cells between tabs, blanks for whatever would end one. */
export const row = (model: Model, v: Verdicts, id: number): string =>
  cells(findingOf(model, v, id), tells(model))
    .map((cell) => cell.replace(/\s/g, " "))
    .join("\t");
