import { useEffect, useRef } from "preact/hooks";
import { docOf } from "./corpus";
import { toggled } from "./chips";
import type { Model, View } from "./model";
import type { Theme } from "./theme";
import { CLEAR, type Page } from "./url";

interface Context {
  model: Model;
  view: View;
  theme: Theme;
  setHelp: (open: boolean | ((old: boolean) => boolean)) => void;
  setMenu: (open: boolean) => void;
  on: boolean;
}

const GO: Record<string, Page> = { o: "overview", e: "errors", l: "leaks", a: "about" };

/** A tenth of the slider, at least two steps. */
export const leap = (steps: number): number => Math.max(2, Math.round((steps - 1) / 10));

export function stepBy(view: View, model: Model, by: number): void {
  const last = model.names.steps - 1;
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

function copyLink(view: View): void {
  // The hash is written late; give it time, so that the link copied is the page seen.
  setTimeout(() => {
    navigator.clipboard?.writeText(location.href).then(
      () => view.say("Link copied"),
      () => view.say("The browser did not allow copying: the link stands in the address bar"),
    );
  }, 250);
}

function act(key: string, event: KeyboardEvent, c: Context): boolean {
  const { model, view } = c;
  const errors = view.place.page === "errors";
  const digit = /^Digit([0-8])$/.exec(event.code);
  if (digit && errors) {
    view.go({ kinds: toggled(view.place, Number(digit[1]), model.payload.kinds.length, event.shiftKey) });
    return true;
  }
  const steps = leap(model.names.steps);
  const moves: Record<string, () => void> = {
    "[": () => stepBy(view, model, -1),
    "]": () => stepBy(view, model, 1),
    "{": () => stepBy(view, model, -steps),
    "}": () => stepBy(view, model, steps),
    d: c.theme.toggle,
    e: () => c.setMenu(true),
    y: () => copyLink(view),
    "?": () => c.setHelp((old) => !old),
  };
  const list: Record<string, () => void> = {
    j: () => selectBy(view, model, 1),
    k: () => selectBy(view, model, -1),
    J: () => selectBy(view, model, 1, true),
    K: () => selectBy(view, model, -1, true),
    s: () => view.setMode(view.mode === "lanes" ? "sides" : "lanes"),
    "/": () => document.getElementById("search")?.focus(),
    l: () => document.getElementById("label")?.focus(),
  };
  const doing = moves[key] ?? (errors ? list[key] : undefined);
  doing?.();
  return doing !== undefined;
}

export function useKeys(context: Context): void {
  const latest = useRef(context);
  latest.current = context;
  useEffect(() => {
    let going = 0; // when "g" was pressed
    const press = (event: KeyboardEvent) => {
      const c = latest.current;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      const typing = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
      if (event.key === "Escape") return escape(c, target, typing);
      if (typing || !c.on || event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog,[role=menu]")) return;
      const page = going && event.timeStamp - going < 1200 ? GO[event.key] : undefined;
      going = event.key === "g" ? event.timeStamp : 0;
      if (page) {
        if (c.model.names.pages.includes(page)) c.view.go({ page });
        event.preventDefault();
      } else if (event.key !== "g" && act(event.key, event, c)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** Escape leaves the innermost thing first: the help, the menu, the field; then the filters. */
function escape(c: Context, target: HTMLElement, typing: boolean): void {
  if (target.closest("dialog")) return; // the dialog closes itself
  if (target.closest(".menu")) {
    c.setMenu(false);
    target.closest(".menu")?.querySelector("button")?.focus();
  } else if (typing) target.blur();
  else if (c.on && c.view.place.page === "errors") c.view.go(CLEAR);
}
