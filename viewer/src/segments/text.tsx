import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { windowOf, WINDOW } from "../spans/lanes";
import { MISSED, SIGNS, type Spot } from "./corpus";
import { search } from "./draw";
import type { Model, View } from "./model";

const MOST = 300; // marks laid out at once, however dense they stand

interface Part {
  text: string;
  segment: number; // of the side whose segments are shaded
  spot: Spot | null; // the boundary after it
}

/** How much of the text is laid out about a place: less of it where boundaries crowd. */
export function extent(text: string, marked: Spot[], centre: number): [from: number, to: number] {
  const places = marked.map((spot) => spot.at16);
  let size = WINDOW;
  for (;;) {
    const [from, to] = windowOf(text, centre, size);
    if (search(places, to) - search(places, from) <= MOST || size < 200) return [from, to];
    size >>= 1;
  }
}

/** The text cut where the chosen sides have a boundary (or lack one of gold's). */
export function parts(text: string, from: number, to: number, marked: Spot[], shaded: Int32Array): Part[] {
  const out: Part[] = [];
  let last = from;
  const inside = marked.filter((spot) => spot.at16 > from && spot.at16 < to);
  for (const spot of [...inside, null]) {
    const end = spot ? spot.at16 : to;
    out.push({ text: text.slice(last, end), segment: search(shaded, last + 1), spot });
    last = end;
  }
  return out;
}

export function TextPane({ model, view }: { model: Model; view: View }) {
  const { corpus: c, payload } = model;
  const text = c.texts[view.doc];
  const box = useRef<HTMLDivElement>(null);
  const [moved, move] = useState<number | null>(null);
  const marked = useMemo(() => view.spots.filter((spot) => spot.at === view.place.at || view.sides.some((n) => spot.kinds[n] >= 0)), [view.spots, view.sides, view.place.at]);
  const chosen = view.spots.find((spot) => spot.at === view.place.at);
  const centre = moved ?? chosen?.at16 ?? 0;
  const shade = view.ribbons[view.sides[0] ?? 0];
  const [from, to] = useMemo(() => (text === null ? [0, 0] : extent(text, marked, centre)), [text, marked, moved, chosen?.at16]);
  const cut = useMemo(() => (text === null ? [] : parts(text, from, to, marked, shade.at16)), [text, from, to, marked, shade]);
  useEffect(() => move(null), [view.doc, view.place.at]);
  useEffect(() => {
    const pane = box.current;
    const mark = pane?.querySelector<HTMLElement>(`[data-at="${view.place.at}"]`);
    if (!pane) return;
    if (!mark) {
      if (moved !== null) pane.scrollTop = (pane.scrollHeight - pane.clientHeight) / 2;
      return;
    }
    const top = mark.offsetTop;
    if (top < pane.scrollTop + 10 || top > pane.scrollTop + pane.clientHeight - 40) pane.scrollTop = top - pane.clientHeight / 3;
  }, [view.place.at, view.doc, from, to]);
  if (text === null) {
    return <p class="notext note">{payload.text === "none" ? "Texts are not in this file (--text none)." : "The documents came without texts."}</p>;
  }
  return (
    <div class="pane" ref={box} tabIndex={0} role="group" aria-label="Text with boundaries" data-testid="text">
      {from > 0 && <button class="tool" onClick={() => move(from)}>Earlier text</button>}
      <div class="words" dir="auto">
        {cut.map((part, i) => (
          <>
            <span key={i} class={shading(model, shade.label, part.segment)} style={tint(model, shade.label, part.segment)}>{part.text}</span>
            {part.spot && <Mark key={part.spot.at} model={model} view={view} spot={part.spot} />}
          </>
        ))}
        {!text && <em class="note">The text is empty.</em>}
      </div>
      {to < text.length && <button class="tool" onClick={() => move(to)}>Later text</button>}
    </div>
  );
}

function shading(model: Model, label: Int32Array | null, segment: number): string {
  return label && model.colours[label[segment]] ? "seg hued" : segment % 2 ? "seg odd" : "seg";
}

function tint(model: Model, label: Int32Array | null, segment: number): Record<string, string> {
  const colour = label ? model.colours[label[segment]] : null;
  return colour ? { "--c": colour.name } : {};
}

/** ¶ where a side has a boundary, with the signs of the methods; the sign alone stands where gold has none. */
function Mark({ model, view, spot }: { model: Model; view: View; spot: Spot }) {
  const { gold, corpus: c } = model;
  const there = (n: number) => !(gold && n === 0) && spot.kinds[n] >= 0;
  const own = view.sides.filter(there);
  const methods = own.length || (gold && spot.kinds[0] >= 0) ? own : view.ribbons.map((one) => one.side).filter(there); // chosen in the list
  const many = c.methods.length > 2;
  const ours = gold && spot.kinds[0] >= 0;
  const says = methods.map((n) => `${c.methods[n]} ${gold ? c.kinds[spot.kinds[n]] : ""}`);
  return (
    <bdi
      class={`pilcrow ${ours ? "ours" : ""} ${methods.some((n) => spot.kinds[n] === MISSED) ? "lacking" : ""} ${spot.at === view.place.at ? "chosen" : ""}`}
      data-at={spot.at}
      title={[`${spot.at}`, ...(ours ? [c.methods[0]] : []), ...says].join(", ")}
      onClick={() => view.go({ at: spot.at })}
    >
      {(ours || !gold) && "¶"}
      {methods.map((n) => `${many ? model.letters[n] : ""}${gold ? SIGNS[spot.kinds[n]] : ""}`).join(" ")}
    </bdi>
  );
}
