import { join, number, split } from "../frame/place";
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
}

export interface Names {
  pages: string[];
  runs: number;
  changes: string[];
  labels: string[];
  documents: number; // that are in the file
  rows: number;
  items: number;
}

export const CLEAR: Filters = { kinds: null, label: -1, doc: -1, q: "" };

export function namesOf(p: Payload): Names {
  const c = p.changed;
  return {
    pages: ["differences", ...(c ? ["changes"] : []), "by-document", "about"],
    runs: p.runs.length,
    changes: c?.changes ?? [],
    labels: c?.labels ?? [],
    documents: c?.corpus.names.length ?? 0,
    rows: c?.corpus.rows.change.length ?? 0,
    items: p.items.names.length,
  };
}

export function parse(hash: string, names: Names): Place {
  const [path, asked] = split(hash);
  const kinds = asked.get("kind");
  const run = number(asked.get("run"), names.runs, 1);
  return {
    page: names.pages.find((page) => page === path) ?? "differences",
    run: Math.max(1, run),
    all: asked.get("all") === "1",
    every: asked.get("every") === "1",
    figure: asked.get("figure") ?? "",
    by: asked.get("by") ?? "",
    name: asked.get("name") ?? "",
    kinds: kinds === null ? null : kinds.split(",").map((k) => names.changes.indexOf(k)).filter((k) => k >= 0),
    label: names.labels.indexOf(asked.get("label") ?? "\0"),
    doc: number(asked.get("doc"), names.documents, -1),
    q: asked.get("q") ?? "",
    sel: number(asked.get("sel"), names.rows, -1),
    order: ORDERS.find((one) => one === asked.get("order")) ?? "most",
    find: asked.get("find") ?? "",
    item: number(asked.get("item"), names.items, -1),
  };
}

export function format(place: Place, names: Names): string {
  const told = (value: number) => (value < 0 ? null : String(value));
  return join(place.page, {
    run: place.run === 1 ? null : String(place.run),
    all: place.all ? "1" : null,
    every: place.every ? "1" : null,
    figure: place.figure || null,
    by: place.by || null,
    name: place.name || null,
    kind: place.kinds && place.kinds.map((k) => names.changes[k]).join(","),
    label: place.label < 0 ? null : names.labels[place.label],
    doc: told(place.doc),
    q: place.q || null,
    sel: told(place.sel),
    order: place.order === "most" ? null : place.order,
    find: place.find || null,
    item: told(place.item),
  });
}
