import type { KeyLine } from "../frame/help";
import { moveBy, stepBy, type Model, type View } from "./model";

export const KEYS: KeyLine[] = [
  ["j k", "next and previous query"],
  ["Enter", "read the open query"],
  ["[ ]", "smaller and larger cutoff"],
  ["m", "only queries that miss"],
  ["/", "search"],
  ["s", "choose the order"],
  ["Esc", "clear the filters"],
];

/** What a key does here; tells whether it does anything. */
export function act(key: string, event: KeyboardEvent, model: Model, view: View): boolean {
  const moves: Record<string, () => void> = { "[": () => stepBy(model, view, -1), "]": () => stepBy(model, view, 1) };
  const list: Record<string, () => void> = {
    j: () => moveBy(view, 1),
    k: () => moveBy(view, -1),
    m: () => view.go({ miss: !view.place.miss }),
    "/": () => document.getElementById("search")?.focus(),
    s: () => document.getElementById("sort")?.focus(),
  };
  if (key === "Enter" && onList(event.target)) list.Enter = () => document.getElementById("open")?.focus();
  const doing = moves[key] ?? (view.place.page === "queries" ? list[key] : undefined);
  doing?.();
  return doing !== undefined;
}

/** Enter on a button or a link is theirs. */
const onList = (target: EventTarget | null): boolean =>
  !(target instanceof Element) || target === document.body || target.id === "main" || target.getAttribute("role") === "listbox";
