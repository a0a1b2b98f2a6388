import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural } from "../frame/format";
import { EXACT, EXTRA, NEAR, nearest, type Ribbon } from "./corpus";
import { discs, halos, halves, lines, minuses, pieces, places, pluses, rects, type Piece, type Range } from "./draw";
import { WIDEST } from "./keys";
import type { Model, View } from "./model";
import { Letter } from "./ranking";
import { fit } from "../spans/names";

const ABOVE = 14; // room for the marks of what is missed
const BELOW = 15; // and of what is there
const REACH = 14; // pixels from a boundary within which a click means it

/** How high a ribbon is drawn, and how far they are apart. */
export function sizes(n: number, marked: boolean): { tall: number; pitch: number } {
  const tall = n > 5 ? 16 : 24;
  return { tall, pitch: tall + (marked ? ABOVE + BELOW : 8) };
}

/** All segmentations of the document, gold on top, on one scale; what is out of sight is not drawn. */
export function Ribbons({ model, view }: { model: Model; view: View }) {
  const box = useRef<HTMLDivElement>(null);
  const [base, setBase] = useState(800);
  const [scroll, setScroll] = useState(0);
  const length = model.corpus.lengths[view.doc];
  const width = Math.max(base, Math.min(base * 2 ** view.place.zoom, length * WIDEST));
  const scale = width / Math.max(1, length);
  const half = Math.max(200, base / 2);
  const from = Math.floor(scroll / half) * half - half;
  const range: Range = { from: Math.max(0, from), to: Math.min(width, from + 2 * half + base), scale };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setBase(Math.max(120, element.clientWidth)));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const before = useRef(scale);
  useLayoutEffect(() => {
    const element = box.current;
    if (element) element.scrollLeft = ((element.scrollLeft + base / 2) * scale) / before.current - base / 2; // zooms about the middle
    before.current = scale;
  }, [scale]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const x = view.place.at * scale;
    if (view.place.at >= 0 && (x < element.scrollLeft + 30 || x > element.scrollLeft + element.clientWidth - 30)) element.scrollLeft = x - element.clientWidth / 2;
  }, [view.place.at, view.doc, scale]);
  const { tall, pitch } = sizes(view.ribbons.length, model.gold);
  const height = (view.ribbons.length - 1) * pitch + tall + (model.gold ? BELOW : 0) + 6;
  const pick = (event: MouseEvent) => {
    const x = event.clientX - (event.currentTarget as Element).getBoundingClientRect().left;
    const near = nearest(view.spots, x / scale);
    if (near >= 0 && Math.abs(near * scale - x) <= REACH) view.go({ at: near });
  };
  return (
    <div class="ribbons">
      <ul class="whose" style={{ height: `${height}px` }}>
        {view.ribbons.map((one, n) => (
          <li key={n} style={{ top: `${n * pitch}px`, height: `${tall}px` }} title={one.name}>
            <Letter model={model} side={n} />
            <bdi>{one.name}</bdi>
          </li>
        ))}
      </ul>
      <div class="strip" ref={box} tabIndex={0} role="group" aria-label="Ribbons" onScroll={(event) => setScroll(event.currentTarget.scrollLeft)}>
        <div style={{ width: `${width}px`, height: `${height}px` }} onClick={pick}>
          <svg data-testid="ribbons" style={{ left: `${range.from}px` }} width={range.to - range.from} height={height} viewBox={`${range.from} 0 ${range.to - range.from} ${height}`} role="img" aria-label={says(model, view)}>
            {model.gold && <Halos model={model} view={view} range={range} tall={tall} height={height} />}
            {view.ribbons.map((one, n) => (
              <One key={n} model={model} one={one} gold={view.ribbons[0]} length={length} top={n * pitch} tall={tall} range={range} />
            ))}
            {view.place.at >= 0 && <path class="chosenline" d={`M${view.place.at * scale} 0v${height}`} />}
          </svg>
        </div>
      </div>
    </div>
  );
}

function says(model: Model, view: View): string {
  const parts = view.ribbons.map((one) => {
    const [exact, near, extra, missed] = one.counts;
    const found = one.kind ? `: ${exact} exact, ${near} near, ${extra} extra, ${missed} missed` : "";
    return `${one.name} ${plural(one.at.length, "boundary", "boundaries")}${found}`;
  });
  return `Segmentations of ${model.corpus.names[view.doc]}. ${parts.join("; ")}. The list of boundaries has them all.`;
}

function Halos({ model, view, range, tall, height }: { model: Model; view: View; range: Range; tall: number; height: number }) {
  const gold = view.ribbons[0].at;
  const window = model.corpus.windows[view.place.step];
  return (
    <>
      <path class="halo" d={rects(halos(gold, model.corpus.lengths[view.doc], window, range), 0, height)} />
      <path class="goldline" d={lines(places(gold, () => true, range), tall, height - tall)} />
    </>
  );
}

interface Drawn {
  model: Model;
  one: Ribbon;
  gold: Ribbon;
  length: number;
  top: number;
  tall: number;
  range: Range;
}

function One({ model, one, gold, length, top, tall, range }: Drawn) {
  if (!one.has) return <text class="lacking" x={range.from + 6} y={top + tall - 6}>not in this segmentation</text>;
  const found = pieces(one.at, length, range);
  const of = (kind: number) => places(one.at, (i) => one.kind?.[i] === kind, range);
  const low = top + tall + 8;
  const missed = places(Array.from(one.missed, (i) => gold.at[i]), () => true, range);
  const near = of(NEAR);
  return (
    <g>
      <Bodies model={model} one={one} found={found} top={top} tall={tall} range={range} />
      {one.kind && (
        <>
          <path class="mark exact" d={discs(of(EXACT), low)} />
          <path class="mark ring" d={discs(near, low)} />
          <path class="mark exact" d={halves(near, low)} />
          <path class="mark stroke extra" d={pluses(of(EXTRA), low)} />
          <path class="mark stroke missed" d={minuses(missed, top - 6)} />
          <path class="lost" d={lines(missed, top, tall)} />
        </>
      )}
    </g>
  );
}

/** The segments: two shades in turn, or the colour of their label, with its name where there is room. */
function Bodies({ model, one, found, top, tall, range }: Omit<Drawn, "gold" | "length"> & { found: Piece[] }) {
  const fills = new Map<string, [x: number, width: number][]>();
  const named: { x: number; name: string }[] = [];
  for (const piece of found) {
    const label = one.label?.[piece.segment] ?? -1;
    const colour = label >= 0 ? model.colours[label] : null;
    const key = colour ? `${colour.name}${colour.dotted ? " dotted" : ""}` : piece.odd ? "odd" : "even";
    let own = fills.get(key);
    if (!own) fills.set(key, (own = []));
    own.push([piece.x, piece.width > 3 ? piece.width - 1.2 : piece.width]);
    const start = Math.max(piece.x, range.from);
    const room = Math.min(piece.x + piece.width, range.to) - start;
    const name = colour ? fit(model.corpus.labels[label], "", room - 8) : "";
    if (name) named.push({ x: start + room / 2, name });
  }
  return (
    <>
      {[...fills].map(([key, own]) => (
        <path key={key} class={`body ${key.startsWith("var") ? "hued" : key} ${key.endsWith("dotted") ? "twice" : ""}`} style={{ "--c": key.split(" ")[0] }} d={rects(own, top, tall)} />
      ))}
      {named.map(({ x, name }) => (
        <text key={x} class="segname" x={x} y={top + tall / 2 + 4}>{name}</text>
      ))}
    </>
  );
}
