import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Colour } from "./colours";
import { sign } from "./kinds";
import { lanes, windowOf } from "./lanes";

export interface Mark {
  id: number;
  finding: number; // the id under which it is listed
  gold: boolean;
  kind: string;
  from: number;
  to: number;
  start: number;
  end: number;
  label: string;
  colour: Colour;
  score: number | null;
  chosen: boolean;
}

/** Where a piece of a span stands. Its verdict is looked up when it is drawn: a step of the slider moves nothing. */
interface Bar {
  id: number;
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
const LOW = 0.5; // a prediction less sure than this is drawn lower

interface Props {
  side: "both" | "gold" | "pred";
  text: string;
  marks: Mark[];
  pick: (mark: Mark) => void;
  title?: string;
  box?: RefObject<HTMLDivElement | null>;
  onScroll?: () => void;
}

/** A text as one text node, with bars laid over it where its spans stand. Nothing ever wraps the text. */
export function Pane({ side, text, marks, pick, title, box, onScroll }: Props) {
  const own = useRef<HTMLDivElement>(null);
  const outer = box ?? own;
  const words = useRef<HTMLDivElement>(null);
  const [bars, setBars] = useState<Bar[]>([]);
  const [moved, move] = useState<number | null>(null);
  const chosen = marks.find((m) => m.chosen);
  const centre = moved ?? chosen?.from ?? 0;
  const [from, to] = useMemo(() => windowOf(text, centre), [text, moved ?? chosen?.id]);
  const seen = useMemo(() => marks.filter((m) => m.from < to && m.to > from), [marks, from, to]);
  const gold = useMemo(() => lanesOf(seen.filter((m) => m.gold)), [seen]);
  const pred = useMemo(() => lanesOf(seen.filter((m) => !m.gold)), [seen]);
  // Side by side both panes keep the same line height, so that their lines stay level.
  const most = Math.max(1, gold.count, pred.count) * LANE;
  const above = side === "both" ? Math.max(1, gold.count) * LANE : side === "gold" ? most : 4;
  const below = side === "both" ? Math.max(1, pred.count) * LANE : side === "pred" ? most : 4;
  const byId = useMemo(() => new Map(seen.map((m) => [m.id, m])), [seen]);
  const ids = useMemo(() => seen.map((m) => m.id).join(), [seen]);
  useLayoutEffect(() => {
    const element = words.current;
    if (!element) return;
    const drawn = side === "both" ? seen : seen.filter((m) => m.gold === (side === "gold"));
    const lay = () => setBars(place(element, from, to, drawn, gold.of, pred.of));
    lay();
    const watch = new ResizeObserver(lay);
    watch.observe(element);
    return () => watch.disconnect();
  }, [text, from, to, ids, side]);
  useEffect(() => move(null), [chosen?.id]);
  useEffect(() => {
    const first = bars.find((b) => byId.get(b.id)?.chosen);
    const view = outer.current;
    if (!view) return;
    if (moved !== null) view.scrollTop = (view.scrollHeight - view.clientHeight) / 2;
    else if (first && (first.top < view.scrollTop || first.top + 60 > view.scrollTop + view.clientHeight)) view.scrollTop = first.top - 60;
  }, [bars, chosen?.id]);
  return (
    <div class="pane" ref={outer} tabIndex={0} role="group" aria-label={title ?? "Text with gold and predicted spans"} onScroll={onScroll}>
      {title && <div class="side">{title}</div>}
      {from > 0 && <button class="tool" onClick={() => move(from)}>Earlier text</button>}
      <div class="sheet" style={{ lineHeight: `${LETTERS + above + below + 6}px`, "--shift": `${Math.abs(above - below) / 2}px` }}>
        <div class="words" dir="auto" ref={words}>{text.slice(from, to)}</div>
        <div class="bars" aria-hidden="true">
          {bars.map(({ id, key, left, top, width, head, room }) => {
            const mark = byId.get(id);
            return mark && <Drawn key={key} mark={mark} pick={pick} left={`${left}px`} top={`${top}px`} width={`${width}px`} room={head && `${room}px`} />;
          })}
        </div>
      </div>
      {to < text.length && <button class="tool" onClick={() => move(to)}>Later text</button>}
    </div>
  );
}

interface Place {
  left: string;
  top: string;
  width: string;
  room: string | false; // how far its name may run; false: it carries none
}

/** The bar of a span: its colour says the label, its pattern and sign the kind. */
export function Drawn({ mark, pick, left, top, width, room }: Place & { mark: Mark; pick: (mark: Mark) => void }) {
  const { glyph, fill } = sign(mark.kind);
  const { score } = mark;
  const also = [mark.chosen && "chosen", mark.colour.dotted && "dotted", score !== null && score < LOW && "low"];
  return (
    <div
      class={["mark", mark.gold ? "gold" : "pred", fill, ...also.filter(Boolean)].join(" ")}
      style={{ left, top, width, "--c": mark.colour.name }}
      title={`${mark.gold ? "gold" : "predicted"} ${mark.label}, ${mark.start}–${mark.end}: ${mark.kind}${score === null ? "" : `, score ${score.toFixed(2)}`}`}
      onClick={() => pick(mark)}
    >
      {room && <span style={{ maxWidth: room }}>{mark.kind === "correct" ? mark.label : `${glyph} ${mark.label}`}</span>}
    </div>
  );
}

/** Lanes by span id; the longest stack says how far the lines must stand apart. */
export function lanesOf(marks: Mark[]): { of: Map<number, number>; count: number } {
  const { lane, count } = lanes(marks.map((m) => m.from), marks.map((m) => m.to));
  return { of: new Map(marks.map((m, i) => [m.id, lane[i]])), count };
}

/** Bars from the rectangles the browser gives for each span: one for each line it runs over. */
function place(words: HTMLElement, from: number, to: number, marks: Mark[], gold: Map<number, number>, pred: Map<number, number>): Bar[] {
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
      const lane = (mark.gold ? gold : pred).get(mark.id) ?? 0;
      const top = mark.gold ? box.top - home.top - BAR - 1 - lane * LANE : box.bottom - home.top + 1 + lane * LANE;
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
