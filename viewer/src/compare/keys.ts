import type { KeyLine } from "../frame/help";
import { toggled } from "./filter";
import type { Model, View } from "./model";

export const KEYS: KeyLine[] = [
  ["x", "differences only, or everything"],
  ["r", "choose a run, where there are several"],
  ["/", "search or filter"],
];
export const CHANGE_KEYS: KeyLine[] = [
  ["j k", "next and previous change, or document"],
  ["J K", "next and previous document of the changes"],
  ["1 … 7", "a kind of change on or off; with Shift only that kind"],
  ["l", "choose a label"],
  ["Enter", "the changes of the chosen document"],
  ["Esc", "clear the filters"],
];

/** Next or previous change; by whole documents where asked. */
export function selectBy(view: View, model: Model, by: number, documents = false): void {
  const rows = view.found?.rows;
  const doc = model.payload.changed?.corpus.rows.doc;
  if (!rows?.length || !doc) return;
  let at = Math.min(rows.length - 1, Math.max(0, view.current + by));
  if (documents) {
    const here = doc[rows[view.current]];
    at = view.current;
    while (rows[at + by] !== undefined && doc[rows[at]] === here) at += by;
    const there = doc[rows[at]];
    while (by < 0 && at > 0 && doc[rows[at - 1]] === there) at--;
  }
  view.go({ sel: rows[at] });
}

export function moveItem(view: View, by: number): void {
  const { items, item } = view;
  if (items.length) view.go({ item: items[Math.min(items.length - 1, Math.max(0, item + by))] });
}

const focus = (id: string) => () => document.getElementById(id)?.focus();

/** What a key does here; tells whether it does anything. */
export function act(key: string, event: KeyboardEvent, model: Model, view: View, open: () => boolean): boolean {
  const { page } = view.place;
  const kinds = model.names.changes.length;
  const digit = /^Digit([1-7])$/.exec(event.code);
  if (digit && page === "changes") {
    view.go({ kinds: toggled(view.place, Number(digit[1]) - 1, kinds, event.shiftKey) });
    return true;
  }
  const inList = event.target instanceof HTMLElement && event.target.matches("[role=listbox], body, #main");
  if (key === "Enter") return page === "by-document" && inList && open();
  const common: Record<string, () => void> = {
    x: () => view.go({ all: !view.place.all }),
    r: focus("run"),
    "/": focus(page === "differences" ? "name" : "search"),
  };
  const changes: Record<string, () => void> = {
    j: () => selectBy(view, model, 1),
    k: () => selectBy(view, model, -1),
    J: () => selectBy(view, model, 1, true),
    K: () => selectBy(view, model, -1, true),
    l: focus("label"),
  };
  const items: Record<string, () => void> = { j: () => moveItem(view, 1), k: () => moveItem(view, -1) };
  const doing = (page === "about" ? {} : common)[key] ?? (page === "changes" ? changes : page === "by-document" ? items : {})[key];
  doing?.();
  return doing !== undefined;
}
