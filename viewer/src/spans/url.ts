import { join, split } from "../frame/place";
import { BY } from "./order";
import type { Filters, Range } from "./filter";
import type { Way } from "./types";

/** All that a link tells: the page, the slider's step, the filters and the chosen finding. */
export interface Place extends Filters {
  page: string;
  step: number;
  sel: number; // -1: none chosen
  sort: string; // a column of the list, "-" before it for downwards; "": reading order
  group: string; // what findings are put together by, "": nothing
  order: string; // a column of the table of documents, as in sort; "": the worst first
  find: string; // what names in the table of documents hold
}

export interface Names {
  labels: string[];
  kinds: string[];
  steps: string[]; // what each is called
  at: number;
  documents: string[];
  pages: string[];
  tell: (id: number) => [document: string, span: string];
  find: (document: string, span: string) => number; // -1: there is none
  ways: Pick<Way, "by" | "names">[];
}

export const CLEAR: Filters = { kinds: null, label: -1, pair: null, doc: -1, q: "", len: null, conf: null, slice: null, flagged: false, is: "" };

/** What Back undoes, besides going to another page: every step into a part of the list. */
export const drilled = (a: Place, b: Place): boolean => (["label", "pair", "doc", "slice", "is", "group"] as const).some((key) => a[key] !== b[key]);

const FULL: Range = [-Infinity, Infinity];

/** A range of numbers out of "3..10", "3.." or "..10"; null where it says nothing. */
export function range(text: string): Range | null {
  const ends = text.split("..");
  const out = FULL.map((open, i) => (ends[i] ? Number(ends[i]) : open));
  return ends.length !== 2 || ends.join("") === "" || out.some(isNaN) ? null : (out as Range);
}

/** The ends of a range as they are typed: an open one is empty. */
export const ends = (range: Range | null): string[] => (range ?? FULL).map((end) => (isFinite(end) ? String(end) : ""));

/** The slice of a name, of the way to slice of a name. */
function sliceOf(ways: Names["ways"], by: string | null, name: string | null): Filters["slice"] {
  const way = ways.findIndex((one) => one.by === by);
  const slice = ways[way]?.names.indexOf(name ?? "") ?? -1;
  return slice < 0 ? null : [way, slice];
}

export function parse(hash: string, names: Names): Place {
  const [path, asked] = split(hash);
  const get = (key: string) => asked.get(key) ?? "";
  const kinds = asked.get("kind");
  const cell = ["gold", "pred"].map((side) => [...names.labels, ""].indexOf(asked.get(side) ?? "\0"));
  return {
    page: names.pages.find((p) => p === path) ?? "overview",
    step: asked.has("t") && names.steps.includes(get("t")) ? names.steps.indexOf(get("t")) : names.at,
    kinds: kinds === null ? null : kinds.split(",").map((k) => names.kinds.indexOf(k)).filter((k) => k >= 0),
    label: names.labels.indexOf(asked.get("label") ?? "\0"),
    pair: Math.min(...cell) < 0 ? null : (cell as [number, number]),
    doc: names.documents.indexOf(asked.get("doc") ?? "\0"),
    q: get("q"),
    len: range(get("len")),
    conf: range(get("conf")),
    slice: sliceOf(names.ways, asked.get("by"), asked.get("slice")),
    flagged: get("flagged") === "1",
    is: get("is"),
    sel: asked.has("span") ? names.find(get("in"), get("span")) : -1,
    sort: get("sort"),
    group: BY[get("group")] ? get("group") : "",
    order: get("order"),
    find: get("find"),
  };
}

export function format(place: Place, names: Names): string {
  const [inside, span] = place.sel < 0 ? [null, null] : names.tell(place.sel);
  const label = (at: 0 | 1) => place.pair && (names.labels[place.pair[at]] ?? "");
  return join(place.page, {
    t: place.step === names.at ? null : names.steps[place.step],
    kind: place.kinds && place.kinds.map((k) => names.kinds[k]).join(","),
    label: place.label < 0 ? null : names.labels[place.label],
    gold: label(0),
    pred: label(1),
    doc: place.doc < 0 ? null : names.documents[place.doc],
    q: place.q || null,
    len: place.len && ends(place.len).join(".."),
    conf: place.conf && ends(place.conf).join(".."),
    by: place.slice && names.ways[place.slice[0]].by,
    slice: place.slice && names.ways[place.slice[0]].names[place.slice[1]],
    flagged: place.flagged ? "1" : null,
    is: place.is || null,
    group: place.group || null,
    sort: place.sort || null,
    order: place.order || null,
    find: place.find || null,
    in: inside,
    span,
  });
}
