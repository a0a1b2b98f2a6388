import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { LANE, LETTERS, place, roomOf, type Bar } from "./bars";
import type { Colour } from "./colours";
import { sign } from "./kinds";
import { lanes, windowOf } from "./lanes";
import { fit } from "./names";

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
  alike: string; // how alike it and its partner are, in words
  chosen: boolean;
}

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
  const [bars, setBars] = useState<Bar<number>[]>([]);
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
    const lay = () => setBars(place(element, from, to, drawn, (m) => m.gold, (m) => ((m.gold ? gold : pred).of.get(m.id) ?? 0) * LANE));
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
          {bars.map((bar) => {
            const mark = byId.get(bar.id);
            const px = (n: number) => `${n}px`;
            return mark && <Drawn key={bar.key} mark={mark} pick={pick} left={px(bar.left)} top={px(bar.top)} width={px(bar.width)} right={bar.right} room={bar.head && roomOf(bar)} />;
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
  room: number | false; // how wide its name may be; false: it carries none
  right?: boolean; // its name stands at its right
}

/** The bar of a span: its colour says the label, its pattern and sign the kind. */
export function Drawn({ mark, pick, left, top, width, room, right }: Place & { mark: Mark; pick: (mark: Mark) => void }) {
  const { glyph, fill } = sign(mark.kind);
  const { score } = mark;
  const also = [mark.chosen && "chosen", mark.colour.dotted && "dotted", right && "right", score !== null && score < LOW && "low"];
  return (
    <div
      class={["mark", mark.gold ? "gold" : "pred", fill, ...also.filter(Boolean)].join(" ")}
      style={{ left, top, width, "--c": mark.colour.name }}
      title={`${mark.gold ? "gold" : "predicted"} ${mark.label}, ${mark.start}–${mark.end}: ${mark.kind}${score === null ? "" : `, confidence ${score.toFixed(2)}`}${mark.alike && ` · ${mark.alike}`}`}
      onClick={() => pick(mark)}
    >
      {room !== false && <Name text={fit(mark.label, mark.kind === "correct" ? "" : `${glyph} `, room)} />}
    </div>
  );
}

/** What stands on a bar; nothing where nothing fits. */
export const Name = ({ text }: { text: string }) => (text ? <span>{text}</span> : null);

/** Lanes by span id; the longest stack says how far the lines must stand apart. */
export function lanesOf(marks: Mark[]): { of: Map<number, number>; count: number } {
  const { lane, count } = lanes(marks.map((m) => m.from), marks.map((m) => m.to));
  return { of: new Map(marks.map((m, i) => [m.id, lane[i]])), count };
}
