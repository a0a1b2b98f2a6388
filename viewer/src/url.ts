import type { Filters } from "./filter";

export type Page = "overview" | "errors" | "leaks" | "about";

/** All that a link tells: the page, the slider's step, the filters and the chosen finding. */
export interface Place extends Filters {
  page: Page;
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
  pages: Page[];
}

export const CLEAR: Filters = { kinds: null, label: -1, pair: null, doc: -1, q: "" };

/** A whole number within [0, below), or the fallback: links are typed and cut off by people. */
function number(text: string | null, below: number, fallback: number): number {
  if (text === null || !/^\d{1,9}$/.test(text)) return fallback;
  const value = Number(text);
  return value < below ? value : fallback;
}

export function parse(hash: string, names: Names): Place {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const page = names.pages.find((p) => p === path) ?? "overview";
  const asked = new URLSearchParams(query);
  const kinds = asked.get("kind");
  const pair = (asked.get("pair") ?? "").split("-");
  const limit = names.labels.length + 1;
  const cell = [number(pair[0], limit, -1), number(pair[1] ?? null, limit, -1)];
  return {
    page,
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
  const parts: string[] = [];
  const add = (key: string, value: string) => parts.push(`${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`);
  if (place.step !== names.at) add("t", String(place.step));
  if (place.kinds) add("kind", place.kinds.map((k) => names.kinds[k]).join(","));
  if (place.label >= 0) add("label", names.labels[place.label]);
  if (place.pair) add("pair", place.pair.join("-"));
  if (place.doc >= 0) add("doc", String(place.doc));
  if (place.q) add("q", place.q);
  if (place.sel >= 0) add("sel", String(place.sel));
  return `#/${place.page}${parts.length ? `?${parts.join("&")}` : ""}`;
}
