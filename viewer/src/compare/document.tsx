import { useMemo, useState } from "preact/hooks";
import { plural } from "../frame/format";
import { sign } from "../spans/kinds";
import { FlagChoice } from "../spans/flag";
import { keyOf } from "../spans/flags";
import { choicesOf, selectBy } from "./keys";
import { sides as namesOf, type Model, type View } from "./model";
import { Pane, type Mark } from "./pane";
import { Ruler } from "./ruler";
import { changeSign } from "./signs";
import type { Changed, Corpus, Side } from "./types";
import { Scroll } from "../frame/scroll";

const SIDES = ["gold", "a", "b"] as const;
const LETTER = { gold: "gold", a: "A", b: "B" };

/** Rows of a sorted column that hold the value. */
export function rowsOf(column: Int32Array, value: number): [first: number, last: number] {
  const below = (limit: number) => {
    let low = 0;
    let high = column.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (column[middle] < limit) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return [below(value), below(value + 1)];
}

/** The changes of a document, by side and span: which row tells of a span, and with what verdict. */
function told(c: Corpus, doc: number): Map<string, { row: number; kind: number }> {
  const out = new Map<string, { row: number; kind: number }>();
  const [first, last] = rowsOf(c.rows.doc, doc);
  for (let row = first; row < last; row++) {
    for (const side of SIDES) {
      const at = c.rows[side][row];
      if (at >= 0 && !out.has(side + at)) out.set(side + at, { row, kind: side === "b" ? c.rows.kind_b[row] : c.rows.kind_a[row] });
    }
  }
  return out;
}

/** Every span of a document: gold with what became of it, those of the runs with their verdicts. */
export function marks(model: Model, changed: Changed, doc: number, chosen: number): Mark[] {
  const c = changed.corpus;
  const known = told(c, doc);
  const out: Mark[] = [];
  for (const side of SIDES) {
    const own = c[side];
    const [first, last] = rowsOf(own.doc, doc);
    for (let at = first; at < last; at++) {
      const { row, kind: code } = known.get(side + at) ?? { row: -1, kind: -1 };
      const change = changed.changes[c.rows.change[row]];
      const kind = row < 0 ? "not counted" : side === "gold" ? change : changed.kinds[code];
      const { glyph, fill } = side === "gold" ? changeSign(change) : sign(kind);
      const label = changed.labels[own.label[at]];
      const plain = kind === "both right" || kind === "correct";
      const score = own.score?.[at] ?? null;
      out.push({
        id: side + at, side, row, kind, fill, label, colour: model.colours[own.label[at]],
        sign: `${side === "gold" ? "" : `${LETTER[side]} `}${plain ? "" : `${glyph} `}`,
        says: `${LETTER[side]} ${label}, ${own.start[at]}–${own.end[at]}: ${kind}${score === null ? "" : `, score ${score.toFixed(2)}`}`,
        from: own.start16[at], to: own.end16[at], start: own.start[at], end: own.end[at], chosen: row >= 0 && row === chosen,
      });
    }
  }
  return out;
}

/** The document of the chosen change in three lanes: gold, the first run, the second. */
export function DocumentView({ model, view }: { model: Model; view: View }) {
  const changed = model.payload.changed!;
  const c = changed.corpus;
  const rows = view.found!.rows;
  const chosen = view.current >= 0 ? rows[view.current] : -1;
  const doc = chosen >= 0 ? c.rows.doc[chosen] : view.place.doc;
  const [table, setTable] = useState(false);
  const all = useMemo(() => (doc >= 0 ? marks(model, changed, doc, chosen) : []), [model, doc, chosen]);
  if (doc < 0) return null;
  const [first, second] = namesOf(model, view);
  const pick = (mark: Mark) => mark.row >= 0 && view.go({ sel: mark.row, ...(rows.includes(mark.row) ? {} : { kinds: changed.changes.map((_, k) => k) }) });
  const text = c.texts[doc];
  const choices = choicesOf(model, view).filter((span) => span !== null);
  return (
    <section class="document" data-testid="document" aria-label={`Document ${c.names[doc]}`}>
      <div class="dochead">
        <h3>
          Document <bdi>{c.names[doc]}</bdi>
        </h3>
        <span class="legend">
          gold above · <b>A</b> <bdi>{first}</bdi> below · <b>B</b> <bdi>{second}</bdi> below that · solid = right · dashed = changed or nearly · hatched = wrong
        </span>
        <span class="walk">
          <button class="tool" onClick={() => selectBy(view, model, -1)} aria-label="Previous change">◂</button>
          {chosen >= 0 && <Where rows={rows} c={c} doc={doc} current={view.current} />}
          <button class="tool" onClick={() => selectBy(view, model, 1)} aria-label="Next change">▸</button>
        </span>
      </div>
      <div class="flagbar" role="group" aria-label="Flags">
        {choices.map((span, i) => (
          <FlagChoice
            key={keyOf(span)}
            gold={span.gold}
            label={span.label}
            flag={view.flags[keyOf(span)]}
            set={(says, note) => view.flag([span, says, note])}
            first={i === 0}
          />
        ))}
      </div>
      {text === null ? <Ruler marks={all} pick={pick} /> : <Pane key={doc} text={text} marks={all} pick={pick} />}
      <details onToggle={(event) => setTable(event.currentTarget.open)}>
        <summary>{`${plural(all.length, "span")} as a table`}</summary>
        {table && <Table marks={all} text={text} names={{ gold: "gold", a: `A ${first}`, b: `B ${second}` }} />}
      </details>
    </section>
  );
}

/** "3 of 12 listed here", counted among the listed changes of the document. */
function Where({ rows, c, doc, current }: { rows: Int32Array; c: Corpus; doc: number; current: number }) {
  let first = current;
  let last = current;
  while (first > 0 && c.rows.doc[rows[first - 1]] === doc) first--;
  while (last + 1 < rows.length && c.rows.doc[rows[last + 1]] === doc) last++;
  return <span>{`${current - first + 1} of ${last - first + 1} listed here`}</span>;
}

const MOST = 500;

function Table({ marks, text, names }: { marks: Mark[]; text: string | null; names: Record<Side, string> }) {
  return (
    <Scroll name="Spans of this document" class="">
      <table>
        <caption>{marks.length > MOST ? `The first ${MOST} of ${marks.length}; offsets in characters` : "Offsets in characters"}</caption>
        <thead>
          <tr>
            <th>Side</th>
            <th>Label</th>
            {text !== null && <th>Text</th>}
            <th class="num">From</th>
            <th class="num">To</th>
            <th>What</th>
          </tr>
        </thead>
        <tbody>
          {marks.slice(0, MOST).map((m) => (
            <tr key={m.id}>
              <td class="left"><bdi>{names[m.side]}</bdi></td>
              <td class="left"><bdi>{m.label}</bdi></td>
              {text !== null && <td class="left words"><bdi>{text.slice(m.from, Math.min(m.to, m.from + 200))}</bdi></td>}
              <td>{m.start}</td>
              <td>{m.end}</td>
              <td class="left">{m.kind}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
