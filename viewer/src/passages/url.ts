import { join, number, split } from "../frame/place";
import type { Filters } from "./order";
import { keyOf } from "./rates";
import type { Queries } from "./types";

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

export function parse(hash: string, q: Queries): Place {
  const [path, asked] = split(hash);
  const sort = asked.get("sort") ?? "";
  const at = q.cutoffs.indexOf(Number(asked.get("k")));
  const known = Object.hasOwn(ORDERS, sort) || q.columns.some((column) => keyOf(column) === sort);
  return {
    page: PAGES.find((page) => page === path) ?? "overview",
    step: at < 0 ? q.at : at,
    sort: known ? sort : keyOf(q.columns[q.head]),
    q: asked.get("q") ?? "",
    miss: asked.get("miss") === "1",
    sel: number(asked.get("sel"), q.names.length, -1),
  };
}

export function format(place: Place, q: Queries): string {
  return join(place.page, {
    k: place.step === q.at ? null : String(q.cutoffs[place.step]),
    sort: place.sort === keyOf(q.columns[q.head]) ? null : place.sort,
    q: place.q || null,
    miss: place.miss ? "1" : null,
    sel: place.sel < 0 ? null : String(place.sel),
  });
}
