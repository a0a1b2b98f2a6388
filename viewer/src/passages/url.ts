import { join, number, split } from "../frame/place";
import type { Filters } from "./order";
import { columnNamed, keyOf, nameOf } from "./rates";
import type { Payload } from "./types";

/** What the names of queries and of figures are read from. */
type Measured = Pick<Payload, "queries" | "measures">;

/** All that a link tells: the page, the cutoff, the order, the filters and the open query. */
export interface Place extends Filters {
  page: string;
  step: number;
  sort: string;
  sel: number; // -1: none chosen
}

export const PAGES = ["overview", "queries", "about"];
export const CLEAR: Filters = { q: "", miss: false };

/** The orders there are besides those by a rate. */
export const ORDERS: Record<string, string> = { order: "order of the file", name: "name", first: "first answer, farthest first" };

export function parse(hash: string, { queries: q, measures }: Measured): Place {
  const [path, asked] = split(hash);
  const sort = asked.get("sort") ?? "";
  const column = columnNamed(q, measures, sort);
  const at = q.cutoffs.indexOf(Number(asked.get("k")));
  return {
    page: PAGES.find((page) => page === path) ?? "overview",
    step: at < 0 ? q.at : at,
    sort: Object.hasOwn(ORDERS, sort) ? sort : keyOf(column ?? q.columns[q.head]),
    q: asked.get("q") ?? "",
    miss: asked.get("miss") === "1",
    sel: asked.has("query") ? q.names.indexOf(asked.get("query") ?? "") : number(asked.get("sel"), q.names.length, -1),
  };
}

export function format(place: Place, { queries: q, measures }: Measured): string {
  const column = q.columns.find((one) => keyOf(one) === place.sort);
  return join(place.page, {
    k: place.step === q.at ? null : String(q.cutoffs[place.step]),
    sort: column === q.columns[q.head] ? null : column ? nameOf(q, measures, column) : place.sort,
    q: place.q || null,
    miss: place.miss ? "1" : null,
    query: place.sel < 0 ? null : q.names[place.sel],
  });
}
