import { useLayoutEffect, useRef } from "preact/hooks";
import type { Framed } from "./types";

const FORMATS: Record<string, [name: string, type: string]> = {
  json: ["JSON", "application/json"],
  csv: ["CSV", "text/csv"],
  md: ["Markdown", "text/markdown"],
  tex: ["LaTeX", "application/x-tex"],
};

/** Hand a text over as a file. */
export function save(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Something to be saved: `text` is only made when it is asked for; null where it cannot be had now. */
export interface Export {
  id: string;
  name: string;
  file: string; // the end of the file's name
  type: string;
  text: () => string | null;
}

/** A title as the beginning of a file's name: "pred.jsonl against gold.jsonl" is pred-against-gold. */
export const stem = (title: string): string =>
  title.replace(/\.\w{1,7}(?= |$)/g, "").replace(/[^\p{L}\p{N}._]+/gu, "-").replace(/^[-.]+|-+$/g, "").slice(0, 80) || "spanscope";

/** The texts that the command line writes, and what a page has of its own to save. */
export function Exports({ payload, more, open, setOpen }: { payload: Framed; more: Export[]; open: boolean; setOpen: (open: boolean) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => { // before the next key, which is already for the menu
    if (!open) return;
    box.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const outside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", outside);
    return () => removeEventListener("pointerdown", outside);
  }, [open]);
  const move = (event: KeyboardEvent) => {
    const items = [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!by || !open) return;
    event.preventDefault();
    const at = items.indexOf(document.activeElement as HTMLElement);
    items[(at + by + items.length) % items.length].focus();
  };
  const figures = Object.entries(payload.exports).map(([key, text]): Export => {
    const [name, type] = FORMATS[key] ?? [key, "text/plain"];
    return { id: key, name: more.length ? `Figures, ${name}` : name, file: `.${key}`, type, text: () => text };
  });
  const choose = ({ text, file, type }: Export) => {
    const found = text();
    if (found !== null) save(found, stem(payload.title) + file, type);
    setOpen(false);
  };
  return (
    <div class="menu" ref={box} onKeyDown={move}>
      <button class="tool" data-testid="export" aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        Export <kbd>e</kbd>
      </button>
      {open && (
        <div role="menu" aria-label="Export" class="items">
          {[...more, ...figures].map((one) => (
            <button key={one.id} role="menuitem" data-testid={`export-${one.id}`} onClick={() => choose(one)}>
              {one.name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
