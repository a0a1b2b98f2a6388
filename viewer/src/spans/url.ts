import { join, number, split } from "../frame/place";
import type { Filters } from "./filter";

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

export const CLEAR: Filters = { kinds: null, label: -1, pair: null, doc: -1, q: "" };

export function parse(hash: string, names: Names): Place {
  const [path, asked] = split(hash);
  const kinds = asked.get("kind");
  const pair = (asked.get("pair") ?? "").split("-");
  const limit = names.labels.length + 1;
  const cell = [number(pair[0], limit, -1), number(pair[1] ?? null, limit, -1)];
  return {
    page: names.pages.find((p) => p === path) ?? "overview",
    step: number(asked.get("t"), names.steps, names.at),
    kinds: kinds === null ? null : kinds.split(",").map((k) => names.kinds.indexOf(k)).filter((k) => k >= 0),
    label: names.labels.indexOf(asked.get("label") ?? "\0"),
    pair: cell[0] >= 0 && cell[1] >= 0 ? [cell[0], cell[1]] : null,
    doc: number(asked.get("doc"), names.documents, -1),
    q: asked.get("q") ?? "",
    sel: number(asked.get("sel"), names.spans, -1),
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
    sel: told(place.sel),
  });
}
