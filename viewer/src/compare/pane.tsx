import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Colour } from "../spans/colours";
import { lanes, windowOf } from "../spans/lanes";
import type { Side } from "./types";

export interface Mark {
  id: string; // side and row
  side: Side;
  row: number; // the change it belongs to, -1: none
  name: string; // what stands on the bar
  says: string;
  fill: string;
  from: number;
  to: number;
  start: number;
  end: number;
  label: string;
  kind: string;
  colour: Colour;
  chosen: boolean;
}

interface Bar {
  id: string;
  key: string;
  left: number;
  top: number;
  width: number;
  head: boolean; // the first piece of its span: it carries the name
  room: number; // how far the name may run: to the next bar of its lane
}

const LANE = 15;
const BAR = 13;
const LETTERS = 24; // height of the letters themselves
const GAP = 3; // between the lanes of the two runs

export interface Lanes {
  of: Map<string, number>;
  count: Record<Side, number>;
}

/** The lane of every span; those of the second run come below all of the first. */
export function lanesOf(marks: Mark[]): Lanes {
  const of = new Map<string, number>();
  const count = { gold: 1, a: 1, b: 1 };
  for (const side of ["gold", "a", "b"] as const) {
    const own = marks.filter((m) => m.side === side);
    const found = lanes(own.map((m) => m.from), own.map((m) => m.to));
    own.forEach((m, i) => of.set(m.id, found.lane[i]));
    count[side] = Math.max(1, found.count);
  }
  return { of, count };
}

/** How far below (or above, for gold) the letters a bar begins. */
export function depth(mark: Mark, { of, count }: Lanes): number {
  const lane = of.get(mark.id) ?? 0;
  return lane * LANE + (mark.side === "b" ? count.a * LANE + GAP : 0);
}

/** A text as one text node; gold above it, both runs below it, as bars laid over it. Nothing wraps the text. */
export function Pane({ text, marks, pick }: { text: string; marks: Mark[]; pick: (mark: Mark) => void }) {
  const outer = useRef<HTMLDivElement>(null);
  const words = useRef<HTMLDivElement>(null);
  const [bars, setBars] = useState<Bar[]>([]);
  const [moved, move] = useState<number | null>(null);
  const chosen = marks.find((m) => m.chosen);
  const [from, to] = useMemo(() => windowOf(text, moved ?? chosen?.from ?? 0), [text, moved ?? chosen?.id]);
  const seen = useMemo(() => marks.filter((m) => m.from < to && m.to > from), [marks, from, to]);
  const layout = useMemo(() => lanesOf(seen), [seen]);
  const byId = useMemo(() => new Map(seen.map((m) => [m.id, m])), [seen]);
  const ids = useMemo(() => seen.map((m) => m.id).join(), [seen]);
  const above = layout.count.gold * LANE;
  const below = (layout.count.a + layout.count.b) * LANE + GAP;
  useLayoutEffect(() => {
    const element = words.current;
    if (!element) return;
    const lay = () => setBars(place(element, from, to, seen, layout));
    lay();
    const watch = new ResizeObserver(lay);
    watch.observe(element);
    return () => watch.disconnect();
  }, [text, from, to, ids]);
  useEffect(() => move(null), [chosen?.id]);
  useEffect(() => {
    const first = bars.find((b) => byId.get(b.id)?.chosen);
    const view = outer.current;
    if (!view) return;
    if (moved !== null) view.scrollTop = (view.scrollHeight - view.clientHeight) / 2;
    else if (first && (first.top < view.scrollTop || first.top + 75 > view.scrollTop + view.clientHeight)) view.scrollTop = first.top - 60;
  }, [bars, chosen?.id]);
  return (
    <div class="pane" ref={outer} tabIndex={0} role="group" aria-label="Text with gold and the spans of both runs">
      {from > 0 && <button class="tool" onClick={() => move(from)}>Earlier text</button>}
      <div class="sheet" style={{ lineHeight: `${LETTERS + above + below + 8}px`, "--shift": "0px" }}>
        <div class="words lifted" dir="auto" ref={words} style={{ top: `${(above - below) / 2}px` }}>{text.slice(from, to)}</div>
        <div class="bars" aria-hidden="true" style={{ top: `${(above - below) / 2}px` }}>
          {bars.map((bar) => (
            <Piece key={bar.key} bar={bar} mark={byId.get(bar.id)} pick={pick} />
          ))}
        </div>
      </div>
      {to < text.length && <button class="tool" onClick={() => move(to)}>Later text</button>}
    </div>
  );
}

export const classOf = (mark: Mark): string =>
  `mark ${mark.side === "gold" ? "gold" : "pred"} ${mark.fill} ${mark.chosen ? "chosen" : ""} ${mark.colour.dotted ? "dotted" : ""}`;

function Piece({ bar, mark, pick }: { bar: Bar; mark: Mark | undefined; pick: (mark: Mark) => void }) {
  if (!mark) return null;
  return (
    <div
      class={classOf(mark)}
      style={{ left: `${bar.left}px`, top: `${bar.top}px`, width: `${bar.width}px`, "--c": mark.colour.name }}
      title={mark.says}
      onClick={() => pick(mark)}
    >
      {bar.head && <span style={{ maxWidth: `${bar.room}px` }}>{mark.name}</span>}
    </div>
  );
}

/** Bars from the rectangles the browser gives for each span: one for each line it runs over. */
function place(words: HTMLElement, from: number, to: number, marks: Mark[], layout: Lanes): Bar[] {
  const node = words.firstChild;
  if (!node) return [];
  const home = words.getBoundingClientRect();
  const range = document.createRange();
  const out: Bar[] = [];
  for (const mark of marks) {
    range.setStart(node, Math.max(0, mark.from - from));
    range.setEnd(node, Math.min(to, Math.max(mark.to, mark.from)) - from);
    let head = true;
    // Blanks swallowed at a line's end come as slivers; a span of nothing else still gets its first one.
    const boxes = [...range.getClientRects()];
    const wide = boxes.filter((box) => box.width >= 1);
    for (const box of wide.length ? wide : boxes.slice(0, 1)) {
      const far = depth(mark, layout);
      const top = mark.side === "gold" ? box.top - home.top - BAR - 1 - far : box.bottom - home.top + 1 + far;
      out.push({ id: mark.id, key: `${mark.id}.${out.length}`, left: box.left - home.left, top, width: Math.max(4, box.width), head, room: 0 });
      head = false;
    }
  }
  return rooms(out, home.width);
}

/** A short bar may carry a long name as far as its lane is free. */
function rooms(bars: Bar[], width: number): Bar[] {
  const order = bars.slice().sort((a, b) => Math.round(a.top) - Math.round(b.top) || a.left - b.left);
  order.forEach((bar, i) => {
    const next = order[i + 1];
    const same = next && Math.round(next.top) === Math.round(bar.top);
    bar.room = Math.max(bar.width - 2, (same ? next.left : width) - bar.left - 4);
  });
  return bars;
}
