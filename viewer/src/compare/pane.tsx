import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { LANE, LETTERS, place, roomOf, type Bar } from "../spans/bars";
import type { Colour } from "../spans/colours";
import { lanes, windowOf } from "../spans/lanes";
import { fit } from "../spans/names";
import { Name } from "../spans/pane";
import type { Side } from "./types";

export interface Mark {
  id: string; // side and row
  side: Side;
  row: number; // the change it belongs to, -1: none
  sign: string; // what stands on the bar before its label
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
  const [bars, setBars] = useState<Bar<string>[]>([]);
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
    const lay = () => setBars(place(element, from, to, seen, (m) => m.side === "gold", (m) => depth(m, layout)));
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

function Piece({ bar, mark, pick }: { bar: Bar<string>; mark: Mark | undefined; pick: (mark: Mark) => void }) {
  if (!mark) return null;
  return (
    <div
      class={`${classOf(mark)} ${bar.right ? "right" : ""}`}
      style={{ left: `${bar.left}px`, top: `${bar.top}px`, width: `${bar.width}px`, "--c": mark.colour.name }}
      title={mark.says}
      onClick={() => pick(mark)}
    >
      {bar.head && <Name text={fit(mark.label, mark.sign, roomOf(bar))} />}
    </div>
  );
}
