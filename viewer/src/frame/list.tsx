import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const SPARE = 6; // rows drawn beyond the edges, so that quick scrolling shows no gap
const TALLEST = 30_000_000; // browsers cap an element near 33.5 million pixels

/** First row to draw and where it stands, for a list whose true height may be more than a browser allows. */
export function slice(scroll: number, height: number, rows: number, tallness = 28): { first: number; last: number; top: number; tall: number } {
  const full = rows * tallness;
  const tall = Math.min(full, TALLEST);
  const far = tall > height ? Math.min(1, scroll / (tall - height)) : 0;
  const offset = tall < full ? far * (full - height) : scroll;
  const first = Math.max(0, Math.floor(offset / tallness) - SPARE);
  const last = Math.min(rows, Math.ceil((offset + height) / tallness) + SPARE);
  return { first, last, top: scroll + first * tallness - offset, tall };
}

/** Let a list that scrolls end with a whole row: it is made lower by what is seen of the next. */
function showWhole(element: HTMLElement, rows: number, tallness: number): void {
  element.style.maxHeight = "";
  const { clientHeight: seen, offsetHeight: all } = element;
  const whole = Math.floor(seen / tallness);
  if (whole > 1 && whole < rows) element.style.maxHeight = `${whole * tallness + all - seen}px`;
}

interface Props {
  label: string;
  rows: number;
  current: number; // the chosen row, -1: none
  move: (by: number) => void; // choose another, so many rows on
  enter?: () => void; // open the chosen row
  draw: (row: number) => VNode; // an element with role=option
  id: (row: number) => string; // and its id
  tallness?: number; // pixels of a row
  class?: string;
}

/** A list of any length, of which only what is seen is in the page. */
export function List({ label, rows, current, move, enter, draw, id, tallness = 28, class: name = "" }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const all = useRef(rows);
  all.current = rows; // a list that has others is fitted where its own height changes: steps of a slider are quick
  const [scroll, setScroll] = useState(0);
  const [height, setHeight] = useState(320);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const fit = () => {
      showWhole(element, all.current, tallness);
      setHeight(element.clientHeight);
    };
    const watch = new ResizeObserver(fit);
    for (const one of [element.parentElement!, ...element.parentElement!.children]) watch.observe(one);
    addEventListener("resize", fit);
    return () => {
      watch.disconnect();
      removeEventListener("resize", fit);
    };
  }, [tallness]);
  useEffect(() => {
    const element = box.current;
    if (!element || current < 0) return;
    const { tall } = slice(0, element.clientHeight, rows, tallness);
    const top = current * tallness * (tall / (rows * tallness));
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + tallness > element.scrollTop + element.clientHeight) element.scrollTop = top + tallness - element.clientHeight;
  }, [current, rows]);
  const { first, last, top, tall } = slice(Math.min(scroll, Math.max(0, rows * tallness - height)), height, rows, tallness);
  const keys = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height / tallness) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows, End: rows }[event.key];
    if (event.key === "Enter") enter?.();
    if (!by) return;
    event.preventDefault();
    move(by);
  };
  const shown = [];
  for (let i = first; i < last; i++) shown.push(draw(i));
  return (
    <div
      class={`list ${name}`}
      ref={box}
      role="listbox"
      tabIndex={0}
      aria-label={label}
      style={{ "--all": `${rows * tallness + 2}px` }}
      aria-activedescendant={current >= first && current < last ? id(current) : undefined}
      onScroll={(event) => setScroll(event.currentTarget.scrollTop)}
      onKeyDown={keys}
    >
      <div role="presentation" style={{ height: `${tall}px` }}>
        <div role="presentation" style={{ transform: `translateY(${top}px)` }}>{shown}</div>
      </div>
    </div>
  );
}
