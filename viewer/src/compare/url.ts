import { join, named, number, split } from "../frame/place";
import { rowName, rowNamed } from "./rowname";
import { suspectName, suspectNamed } from "./suspects";
import type { Payload } from "./types";

export interface Filters {
  kinds: number[] | null; // changes that are listed; null: those that tell the runs apart
  label: number; // -1: any
  doc: number; // -1: any
  q: string;
}

export type Order = "most" | "worst" | "best";
export const ORDERS: Order[] = ["most", "worst", "best"];

/** All that a link tells. */
export interface Place extends Filters {
  page: string;
  run: number; // which run stands beside the first
  all: boolean; // also what does not differ
  every: boolean; // also averages that tables leave out
  figure: string; // measure and rate of the table of labels
  by: string; // the column by which figures are sorted, "-" before it for downwards
  name: string; // filter of labels in the table of differences
  sel: number; // the chosen change, -1: none
  order: Order; // of documents
  find: string; // filter of documents by name
  item: number; // the chosen document, -1: none
  suspect: number; // the chosen suspect, -1: none
  why: string; // the kind of suspects that are listed, "": any
  rank: string; // a column of the list of suspects, "-" before it for downwards; "": those most agreed on first
}

export interface Names {
  pages: string[];
  runs: string[];
  changes: string[];
  labels: string[];
  documents: string[]; // that are in the file
  rows: number;
  items: string[];
  figures: Record<string, string>; // what links call the figures of labels, by what the page calls them
  tell: (row: number) => [document: string, span: string];
  find: (document: string, span: string) => number; // -1: there is none
  tellSuspect: (at: number) => [document: string, span: string];
  findSuspect: (document: string, span: string) => number;
}

export const CLEAR: Filters = { kinds: null, label: -1, doc: -1, q: "" };

export function namesOf(p: Payload): Names {
  const c = p.changed;
  return {
    pages: ["differences", ...(c ? ["changes"] : []), ...(p.audit ? ["suspects"] : []), "by-document", "about"],
    runs: p.runs.map((run) => run.short),
    changes: c?.changes ?? [],
    labels: c?.labels ?? [],
    documents: c?.corpus.names ?? [],
    rows: c?.corpus.rows.change.length ?? 0,
    items: p.items.names,
    figures: Object.fromEntries(p.rows.map(([measure, , rate]) => [`${measure}.${rate}`, `${rate} ${p.measures[measure].form}`])),
    tell: (row) => rowName(c!, row),
    tellSuspect: (at) => suspectName(p.audit!, at),
    findSuspect: (document, span) => (p.audit ? suspectNamed(p.audit, document, span) : -1),
    find: (document, span) => (c ? rowNamed(c, document, span) : -1),
  };
}

/** What Back undoes, besides going to another page: every step into a part of what is listed. */
export const drilled = (a: Place, b: Place): boolean => (["run", "label", "doc", "why"] as const).some((key) => a[key] !== b[key]);

export function parse(hash: string, names: Names): Place {
  const [path, asked] = split(hash);
  const kinds = asked.get("kind");
  const figure = asked.get("figure") ?? "";
  return {
    page: names.pages.find((page) => page === path) ?? "differences",
    run: Math.max(1, named(asked.get("run"), names.runs)),
    all: asked.get("all") === "1",
    every: asked.get("every") === "1",
    figure: Object.keys(names.figures).find((key) => names.figures[key] === figure) ?? figure,
    by: asked.get("by") ?? "",
    name: asked.get("name") ?? "",
    kinds: kinds === null ? null : kinds.split(",").map((k) => names.changes.indexOf(k)).filter((k) => k >= 0),
    label: names.labels.indexOf(asked.get("label") ?? "\0"),
    doc: named(asked.get("doc"), names.documents),
    q: asked.get("q") ?? "",
    sel: asked.has("span") ? names.find(asked.get("in") ?? "", asked.get("span") ?? "") : number(asked.get("sel"), names.rows, -1),
    order: ORDERS.find((one) => one === asked.get("order")) ?? "most",
    find: asked.get("find") ?? "",
    item: named(asked.get("item"), names.items),
    suspect: asked.has("suspect") ? names.findSuspect(asked.get("of") ?? "", asked.get("suspect") ?? "") : -1,
    why: asked.get("why") ?? "",
    rank: asked.get("rank") ?? "",
  };
}

export function format(place: Place, names: Names): string {
  const [of, suspect] = place.suspect < 0 ? [null, null] : names.tellSuspect(place.suspect);
  const [inside, span] = place.sel < 0 ? [null, null] : names.tell(place.sel);
  return join(place.page, {
    run: place.run === 1 ? null : names.runs[place.run],
    all: place.all ? "1" : null,
    every: place.every ? "1" : null,
    figure: (names.figures[place.figure] ?? place.figure) || null,
    by: place.by || null,
    name: place.name || null,
    kind: place.kinds && place.kinds.map((k) => names.changes[k]).join(","),
    label: place.label < 0 ? null : names.labels[place.label],
    doc: place.doc < 0 ? null : names.documents[place.doc],
    q: place.q || null,
    in: inside,
    span,
    order: place.order === "most" ? null : place.order,
    find: place.find || null,
    why: place.why || null,
    rank: place.rank || null,
    of,
    suspect,
    item: place.item < 0 ? null : names.items[place.item],
  });
}
