import { useLayoutEffect, useRef } from "preact/hooks";

const FORMATS: Record<string, [name: string, type: string]> = {
  json: ["JSON", "application/json"],
  csv: ["CSV", "text/csv"],
  md: ["Markdown", "text/markdown"],
  tex: ["LaTeX", "application/x-tex"],
};

/** The very text that the command line writes, handed over as a file. */
export function save(text: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export function Exports({ exports, open, setOpen }: { exports: Record<string, string>; open: boolean; setOpen: (open: boolean) => void }) {
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
  return (
    <div class="menu" ref={box} onKeyDown={move}>
      <button class="tool" data-testid="export" aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)}>
        Export <kbd>e</kbd>
      </button>
      {open && (
        <div role="menu" aria-label="Export" class="items">
          {Object.entries(exports).map(([key, text]) => (
            <button
              key={key}
              role="menuitem"
              data-testid={`export-${key}`}
              onClick={() => {
                save(text, `spanscope.${key}`, FORMATS[key]?.[1] ?? "text/plain");
                setOpen(false);
              }}
            >
              {FORMATS[key]?.[0] ?? key}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
