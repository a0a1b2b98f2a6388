import { join, number, split } from "../frame/place";
import type { Filters, Range } from "./filter";

/** All that a link tells: the page, the slider's step, the filters and the chosen finding. */
export interface Place extends Filters {
  page: string;
  step: number;
  sel: number; // -1: none chosen
}

export interface Names {
  labels: string[];
  kinds: string[];
  steps: number;
  at: number;
  documents: number;
  spans: number;
  pages: string[];
}

export const CLEAR: Filters = { kinds: null, label: -1, pair: null, doc: -1, q: "", len: null, conf: null };

const FULL: Range = [-Infinity, Infinity];

/** A range of numbers out of "3..10", "3.." or "..10"; null where it says nothing. */
export function range(text: string): Range | null {
  const ends = text.split("..");
  const out = FULL.map((open, i) => (ends[i] ? Number(ends[i]) : open));
  return ends.length !== 2 || ends.join("") === "" || out.some(isNaN) ? null : (out as Range);
}

/** The ends of a range as they are typed: an open one is empty. */
export const ends = (range: Range | null): string[] => (range ?? FULL).map((end) => (isFinite(end) ? String(end) : ""));

export function parse(hash: string, names: Names): Place {
  const [path, asked] = split(hash);
  const get = (key: string) => asked.get(key) ?? "";
  const kinds = asked.get("kind");
  const pair = get("pair").split("-");
  const limit = names.labels.length + 1;
  const cell = [number(pair[0], limit, -1), number(pair[1] ?? "", limit, -1)];
  return {
    page: names.pages.find((p) => p === path) ?? "overview",
    step: number(get("t"), names.steps, names.at),
    kinds: kinds === null ? null : kinds.split(",").map((k) => names.kinds.indexOf(k)).filter((k) => k >= 0),
    label: names.labels.indexOf(asked.get("label") ?? "\0"),
    pair: cell[0] >= 0 && cell[1] >= 0 ? [cell[0], cell[1]] : null,
    doc: number(get("doc"), names.documents, -1),
    q: get("q"),
    len: range(get("len")),
    conf: range(get("conf")),
    sel: number(get("sel"), names.spans, -1),
  };
}

export function format(place: Place, names: Names): string {
  const told = (value: number) => (value < 0 ? null : String(value));
  return join(place.page, {
    t: place.step === names.at ? null : String(place.step),
    kind: place.kinds && place.kinds.map((k) => names.kinds[k]).join(","),
    label: place.label < 0 ? null : names.labels[place.label],
    pair: place.pair && place.pair.join("-"),
    doc: told(place.doc),
    q: place.q || null,
    len: place.len && ends(place.len).join(".."),
    conf: place.conf && ends(place.conf).join(".."),
    sel: told(place.sel),
  });
}
