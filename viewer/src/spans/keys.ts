import type { KeyLine } from "../frame/help";
import { toggled } from "./chips";
import { docOf } from "./corpus";
import { following } from "./flag";
import type { Model, View } from "./model";
import { row } from "./out";
import { copy, say } from "../frame/said";

export const KEYS: KeyLine[] = [
  ["j k", "next and previous finding"],
  ["J K", "next and previous document"],
  ["1 … 9", "a kind on or off; with Shift only that kind"],
  ["0", "correct spans on or off"],
  ["/", "search"],
  ["l", "choose a label"],
  ["s", "one text or side by side"],
  ["m", "flag gold: wrong or missing, unsure, to discuss, none"],
  ["c", "copy the row"],
  ["Esc", "clear the filters"],
  ["[ ]", "threshold one step down, up"],
  ["{ }", "threshold a tenth down, up"],
];

/** A tenth of the slider, at least two steps. */
export const leap = (steps: number): number => Math.max(2, Math.round((steps - 1) / 10));

export function stepBy(view: View, model: Model, by: number): void {
  const last = model.names.steps.length - 1;
  view.go({ step: Math.min(last, Math.max(0, view.place.step + by)) });
}

/** Next or previous finding; by whole documents where asked. */
export function selectBy(view: View, model: Model, by: number, documents = false): void {
  const rows = view.found?.rows;
  if (!rows?.length || !model.corpus) return;
  let at = Math.min(rows.length - 1, Math.max(0, view.current + by));
  if (documents) {
    const here = docOf(model.corpus, rows[view.current]);
    at = view.current;
    while (rows[at + by] !== undefined && docOf(model.corpus, rows[at]) === here) at += by;
    const there = docOf(model.corpus, rows[at]);
    while (by < 0 && at > 0 && docOf(model.corpus, rows[at - 1]) === there) at--;
  }
  view.go({ sel: rows[at] });
}

/** Flag the chosen finding with the next of the flags. */
function mark(model: Model, view: View): void {
  const id = view.found?.rows[view.current] ?? -1;
  if (id < 0) return;
  const flag = view.flags.get(id);
  const says = following(id < model.corpus!.gold.doc.length, flag);
  view.flag(id, says, flag?.note);
  say(says ? `Flagged: ${says}` : "No flag");
}

export function copyRow(model: Model, view: View): void {
  const id = view.found?.rows[view.current] ?? -1;
  if (id >= 0) copy(row(model, view.verdicts!, id), "Row copied");
}

/** What a key does here; tells whether it does anything. */
export function act(key: string, event: KeyboardEvent, model: Model, view: View): boolean {
  const errors = view.place.page === "errors";
  const digit = /^Digit(\d)$/.exec(event.code);
  if (digit && errors && Number(digit[1]) < model.payload.kinds.length) {
    view.go({ kinds: toggled(view.place, Number(digit[1]), model.payload.kinds.length, event.shiftKey) });
    return true;
  }
  const steps = leap(model.names.steps.length);
  const by = { "[": -1, "]": 1, "{": -steps, "}": steps, j: 1, k: -1, J: 1, K: -1 }[key] ?? 0;
  if (by && "[]{}".includes(key)) return stepBy(view, model, by), true;
  if (by && errors) return selectBy(view, model, by, key < "a"), true;
  const list: Record<string, () => void> = {
    s: () => view.setSides(!view.sides),
    m: () => mark(model, view),
    c: () => copyRow(model, view),
    "/": () => document.getElementById("search")?.focus(),
    l: () => document.getElementById("label")?.focus(),
  };
  const doing = errors ? list[key] : undefined;
  if (key === "/" && view.place.page === "documents") return document.getElementById("find")?.focus(), true;
  doing?.();
  return doing !== undefined;
}
