import { apart, join, named, number, several, split } from "../frame/place";
import { choices, type Sort } from "./corpus";
import type { Corpus } from "./types";

/** All that a link tells: the page, the window, the document, the boundary, and what is drawn of them. */
export interface Place {
  page: string;
  step: number;
  doc: number; // -1: the first listed
  at: number; // the place of the chosen boundary, -1: none
  sort: Sort;
  by: string; // whose figures make a document bad: the number of a method, or "mean"
  q: string;
  sides: number[] | null; // segmentations marked in the text; null: gold and the first method
  wrong: boolean; // list only boundaries that are extra or missed
  order: string; // a column of the table of documents, "-" before it for downwards; "": the worst first
  zoom: number; // the ribbon is 2 to this power times as wide as the page
}

export const PAGES = ["overview", "segments", "documents", "about"];
export const ZOOMS = 16;
const SORTS: Sort[] = ["worst", "name", "length"];

export const usual = (c: Corpus): number[] => c.methods.map((_, n) => n).slice(0, 2);

export function parse(hash: string, c: Corpus): Place {
  const [path, asked] = split(hash);
  const sides = asked.get("in");
  const by = asked.get("by") === "mean" ? "mean" : String(named(asked.get("by"), c.methods));
  return {
    page: PAGES.find((page) => page === path) ?? "overview",
    step: c.windows.includes(Number(asked.get("w") ?? NaN)) ? c.windows.indexOf(Number(asked.get("w"))) : c.at,
    doc: named(asked.get("doc"), c.names),
    at: number(asked.get("at"), 1e9, -1),
    sort: SORTS.find((sort) => sort === asked.get("sort")) ?? "worst",
    by: choices(c).includes(by) ? by : choices(c)[0],
    q: asked.get("q") ?? "",
    sides: sides === null ? null : apart(sides).map((name) => named(name, c.methods)).filter((n) => n >= 0),
    wrong: asked.get("wrong") === "1",
    order: asked.get("order") ?? "",
    zoom: number(asked.get("zoom"), ZOOMS, 0),
  };
}

export function format(place: Place, c: Corpus): string {
  const told = (value: number, usual = -1) => (value === usual ? null : String(value));
  return join(place.page, {
    w: place.step === c.at ? null : String(c.windows[place.step]),
    doc: place.doc < 0 ? null : c.names[place.doc],
    at: told(place.at),
    sort: place.sort === "worst" ? null : place.sort,
    by: place.by === choices(c)[0] ? null : place.by === "mean" ? "mean" : c.methods[Number(place.by)],
    q: place.q || null,
    in: place.sides && several(place.sides.map((n) => c.methods[n])),
    wrong: place.wrong ? "1" : null,
    order: place.order || null,
    zoom: told(place.zoom, 0),
  });
}
