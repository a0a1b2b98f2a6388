import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { selectBy } from "./keys";
import { KwicRow } from "./kwic";
import type { Model, View } from "./model";

export const ROW = 28;
const SPARE = 6; // rows drawn beyond the edges, so that quick scrolling shows no gap
const TALLEST = 30_000_000; // browsers cap an element near 33.5 million pixels

/** First row to draw and where it stands, for a list whose true height may be more than a browser allows. */
export function slice(scroll: number, height: number, rows: number): { first: number; last: number; top: number; tall: number } {
  const full = rows * ROW;
  const tall = Math.min(full, TALLEST);
  const far = tall > height ? Math.min(1, scroll / (tall - height)) : 0;
  const offset = tall < full ? far * (full - height) : scroll;
  const first = Math.max(0, Math.floor(offset / ROW) - SPARE);
  const last = Math.min(rows, Math.ceil((offset + height) / ROW) + SPARE);
  return { first, last, top: scroll + first * ROW - offset, tall };
}

export function List({ model, view }: { model: Model; view: View }) {
  const box = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState(0);
  const [height, setHeight] = useState(320);
  const rows = view.found?.rows ?? new Int32Array(0);
  const { current } = view;
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setHeight(element.clientHeight));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || current < 0) return;
    const { tall } = slice(0, element.clientHeight, rows.length);
    const scale = tall / (rows.length * ROW);
    const top = current * ROW * scale;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight;
  }, [current, rows]);
  const { first, last, top, tall } = slice(Math.min(scroll, Math.max(0, rows.length * ROW - height)), height, rows.length);
  const keys = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length }[event.key];
    if (!by) return;
    event.preventDefault();
    selectBy(view, model, by);
  };
  const shown = [];
  for (let i = first; i < last; i++) {
    shown.push(<KwicRow key={rows[i]} model={model} view={view} id={rows[i]} place={i} total={rows.length} chosen={i === current} />);
  }
  return (
    <div
      class="list"
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label="Findings in context"
      style={{ "--all": `${rows.length * ROW + 2}px` }}
      aria-activedescendant={current >= first && current < last ? `row${rows[current]}` : undefined}
      onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
      onKeyDown={keys}
    >
      <div role="presentation" style={{ height: `${tall}px` }}>
        <div role="presentation" style={{ transform: `translateY(${top}px)` }}>{shown}</div>
      </div>
    </div>
  );
}
