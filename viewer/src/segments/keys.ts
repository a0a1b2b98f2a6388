import type { KeyLine } from "../frame/help";
import { wrong } from "./corpus";
import type { Model, View } from "./model";
import { ZOOMS } from "./url";

export const WIDEST = 14; // pixels a unit of text at most
const NARROW = 600; // pixels of a ribbon that fills the page

export const KEYS: KeyLine[] = [
  ["j k", "next and previous document"],
  ["n p", "next and previous boundary"],
  ["[ ]", "window one step down, up"],
  ["{ }", "window five steps down, up"],
  ["+ -", "zoom in, out"],
  ["x", "list only extra and missed boundaries"],
  ["/", "find a document"],
  ["Enter", "from the documents to the boundaries of one"],
  ["Esc", "clear the filters"],
];

const between = (value: number, last: number): number => Math.max(0, Math.min(last, value));

export function stepBy(view: View, model: Model, by: number): void {
  view.go({ step: between(view.place.step + by, model.corpus.windows.length - 1) });
}

export function documentBy(view: View, by: number): void {
  if (!view.rows.length) return;
  const at = between(view.rows.indexOf(view.doc) + by, view.rows.length - 1);
  view.go({ doc: view.rows[at], at: -1 });
}

/** The boundaries that are listed. */
export const shownSpots = (view: View) => (view.place.wrong ? view.spots.filter(wrong) : view.spots);

export function spotBy(view: View, by: number): void {
  const all = shownSpots(view);
  if (!all.length) return;
  const here = view.place.at;
  const next = all.findIndex((spot) => spot.at >= here);
  const at = next < 0 ? all.length : next;
  const exact = next >= 0 && all[next].at === here;
  const to = here < 0 ? 0 : exact || by < 0 ? at + by : at + by - 1;
  view.go({ at: all[between(to, all.length - 1)].at });
}

/** How often a ribbon can be doubled before its letters stand apart. */
export const deepest = (length: number): number => between(Math.ceil(Math.log2(Math.max(1, (length * WIDEST) / NARROW))), ZOOMS - 1);

export function zoomBy(view: View, model: Model, by: number): void {
  const most = deepest(model.corpus.lengths[view.doc] ?? 0);
  view.go({ zoom: between(Math.min(view.place.zoom, most) + by, most) });
}

/** What a key does here; tells whether it does anything. */
export function act(key: string, model: Model, view: View): boolean {
  if (key === "/" && view.place.page === "documents") return document.getElementById("find")?.focus(), true;
  if (view.place.page !== "segments") return false;
  const moves: Record<string, () => void> = {
    j: () => documentBy(view, 1),
    k: () => documentBy(view, -1),
    n: () => spotBy(view, 1),
    p: () => spotBy(view, -1),
    "[": () => stepBy(view, model, -1),
    "]": () => stepBy(view, model, 1),
    "{": () => stepBy(view, model, -5),
    "}": () => stepBy(view, model, 5),
    "+": () => zoomBy(view, model, 1),
    "=": () => zoomBy(view, model, 1),
    "-": () => zoomBy(view, model, -1),
    x: () => model.gold && view.go({ wrong: !view.place.wrong }),
    "/": () => document.getElementById("search")?.focus(),
  };
  moves[key]?.();
  return moves[key] !== undefined;
}
