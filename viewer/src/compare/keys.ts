import type { KeyLine } from "../frame/help";
import { say } from "../frame/said";
import { following } from "../spans/flag";
import { keyOf, type Span } from "../spans/flags";
import type { Flagging } from "../spans/useflags";
import { toggled } from "./filter";
import type { Model, View } from "./model";
import { foundSpan, goldSpan, spanAt } from "./suspects";

export const KEYS: KeyLine[] = [
  ["x", "differences only, or everything"],
  ["r", "choose a run, where there are several"],
  ["/", "search or filter"],
];
export const CHANGE_KEYS: KeyLine[] = [
  ["j k", "next and previous change, suspect or document"],
  ["J K", "next and previous document of the changes"],
  ["1 … 7", "a kind of change on or off; with Shift only that kind"],
  ["l", "choose a label"],
  ["m", "flag gold: wrong or missing, unsure, to discuss, none"],
  ["Enter", "the changes of the chosen document, the texts of a query"],
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

export function moveSuspect(view: View, by: number): void {
  const { suspects, suspect } = view;
  if (suspects.length) view.go({ suspect: suspects[Math.min(suspects.length - 1, Math.max(0, suspect + by))] });
}

/** Say of the chosen span what comes next: of a suspect, that gold lacks it and that what gold has there is wrong. */
function mark(model: Model, view: View): void {
  const { page } = view.place;
  const a = model.payload.audit;
  const at = view.suspects[view.suspect];
  const [gold, ...others] = page === "suspects" && a && at !== undefined ? [goldSpan(a, at), foundSpan(a, at)] : page === "changes" ? choicesOf(model, view) : [];
  const span = page === "suspects" ? others[0] : (gold ?? others[0]);
  if (!span) return;
  const flag = view.flags[keyOf(span)];
  const says = following(span.gold, flag);
  const both: Flagging[] = page === "suspects" && gold ? [[gold, says === "missing" ? "wrong" : null]] : [];
  view.flag([span, says, flag?.note], ...both);
  say(says ? `Flagged: ${says}` : "No flag");
}

/** The spans of the chosen change that something may be said of: gold, and predictions that are not right. */
export function choicesOf(model: Model, view: View): (Span | null)[] {
  const changed = model.payload.changed;
  const row = view.found?.rows[view.current] ?? -1;
  if (!changed || row < 0) return [];
  const { corpus: c, kinds, labels } = changed;
  const name = c.names[c.rows.doc[row]];
  const gold = c.rows.gold[row];
  const wrong = (["a", "b"] as const).filter((side) => c.rows[side][row] >= 0 && kinds[c.rows[side === "a" ? "kind_a" : "kind_b"][row]] !== "correct");
  const preds = wrong.map((side) => spanAt(c[side], labels, name, false, c.rows[side][row]));
  const same = preds.length > 1 && keyOf(preds[0]) === keyOf(preds[1]);
  return [gold < 0 ? null : spanAt(c.gold, labels, name, true, gold), ...(same ? preds.slice(1) : preds)];
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
    m: () => mark(model, view),
  };
  const suspects: Record<string, () => void> = { j: () => moveSuspect(view, 1), k: () => moveSuspect(view, -1), m: () => mark(model, view) };
  const items: Record<string, () => void> = { j: () => moveItem(view, 1), k: () => moveItem(view, -1) };
  const doing = (page === "about" ? {} : common)[key] ?? (page === "changes" ? changes : page === "suspects" ? suspects : page === "by-document" ? items : {})[key];
  doing?.();
  return doing !== undefined;
}
