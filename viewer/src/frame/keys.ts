import { useLayoutEffect, useRef } from "preact/hooks";
import { copy } from "./said";

/** What single keys do. `act` tells whether it took the key; `clear` is what Escape does when nothing is open. */
export interface Keyed {
  pages: string[];
  go: (page: string) => void;
  toggleTheme: () => void;
  setHelp: (change: (old: boolean) => boolean) => void;
  setMenu: (open: boolean) => void;
  act: (key: string, event: KeyboardEvent) => boolean;
  clear: () => void;
  on: boolean;
}

function common(key: string, c: Keyed): boolean {
  const moves: Record<string, () => void> = {
    d: c.toggleTheme,
    e: () => c.setMenu(true),
    // The hash is written late; give it time, so that the link copied is the page seen.
    y: () => setTimeout(() => copy(location.href, "Link copied"), 250),
    "?": () => c.setHelp((old) => !old),
  };
  moves[key]?.();
  return moves[key] !== undefined;
}

export function useKeys(context: Keyed): void {
  const latest = useRef(context);
  latest.current = context;
  // Keys work as soon as the page is there, not a frame later.
  useLayoutEffect(() => {
    let going = 0; // when "g" was pressed
    const press = (event: KeyboardEvent) => {
      const c = latest.current;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      const typing = target.matches("input:not([type=range]):not([type=checkbox]), select, textarea");
      if (event.key === "Escape") return escape(c, target, typing);
      // A dialog that was just closed keeps the focus until the next frame, and must not swallow a key typed meanwhile.
      if (typing || !c.on || event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog[open],[role=menu]")) return;
      const page = going && event.timeStamp - going < 1200 ? c.pages.find((id) => id[0] === event.key) : undefined;
      going = event.key === "g" ? event.timeStamp : 0;
      if (page) {
        c.go(page);
        event.preventDefault();
      } else if (event.key !== "g" && (c.act(event.key, event) || common(event.key, c))) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** Escape leaves the innermost thing first: the help, the menu, the field; then the filters. */
function escape(c: Keyed, target: HTMLElement, typing: boolean): void {
  if (target.closest("dialog[open]")) return; // the dialog closes itself
  if (target.closest(".menu")) {
    c.setMenu(false);
    target.closest(".menu")?.querySelector("button")?.focus();
  } else if (typing) target.blur();
  else if (c.on) c.clear();
}
