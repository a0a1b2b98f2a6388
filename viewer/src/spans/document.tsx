import { useMemo, useRef, useState } from "preact/hooks";
import { docOf, textOf, type Corpus } from "./corpus";
import { alikeOf, told } from "./finding";
import { plural, rate } from "../frame/format";
import { FlagBar } from "./flag";
import { copyRow, selectBy } from "./keys";
import { sign } from "./kinds";
import type { Model, View } from "./model";
import { Pane, type Mark } from "./pane";
import { Ruler } from "./ruler";
import { Heads } from "./signs";
import { kindOf, listed, pairOf, type Verdicts } from "./step";
import { Scroll } from "../frame/scroll";

/** Every span of a document with its verdict at this step. */
export function marks(model: Model, c: Corpus, v: Verdicts, doc: number, chosen: number): Mark[] {
  const n = c.gold.doc.length;
  const out: Mark[] = [];
  for (let i = c.docFirst[doc]; i < c.docFirst[doc + 1]; i++) {
    const id = c.order[i];
    const gold = id < n;
    const side = gold ? c.gold : c.pred;
    const at = gold ? id : id - n;
    const kind = model.payload.kinds[kindOf(v, id)] ?? "not counted";
    const label = side.label[at];
    const finding = listed(v, id);
    const score = side.score?.[at] ?? null;
    const alike = told(alikeOf(model, v, pairOf(v, id)[0]));
    out.push({
      id, finding, gold, kind, score, alike,
      from: side.start16[at], to: side.end16[at], start: side.start[at], end: side.end[at],
      label: model.payload.labels[label], colour: model.colours[label], chosen: finding === chosen,
    });
  }
  return out;
}

export function DocumentView({ model, view }: { model: Model; view: View }) {
  const { corpus } = model;
  const { found, verdicts, current, place } = view;
  const sides = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)];
  const [table, setTable] = useState(false);
  const chosen = found && current >= 0 ? found.rows[current] : -1;
  const doc = corpus && chosen >= 0 ? docOf(corpus, chosen) : place.doc;
  const all = useMemo(
    () => (corpus && verdicts && doc >= 0 ? marks(model, corpus, verdicts, doc, chosen) : []),
    [model, verdicts, doc, chosen],
  );
  if (!corpus || !found || doc < 0) return null;
  const text = textOf(corpus, doc);
  const drawn = all.filter((mark) => mark.start >= 0);
  const step = (by: number, which: string, sign: string) => (
    <button class="tool" onClick={() => selectBy(view, model, by)} aria-label={`${which} finding`}>{sign}</button>
  );
  const pick = (mark: Mark) => view.go({ sel: mark.finding });
  const follow = (from: HTMLDivElement | null, to: HTMLDivElement | null) => {
    if (from && to && to.scrollTop !== from.scrollTop) to.scrollTop = from.scrollTop;
  };
  return (
    <section class="document" data-testid="document" aria-label={`Document ${corpus.raw.names[doc]}`}>
      <div class="dochead">
        <h3>
          Document <bdi>{corpus.raw.names[doc]}</bdi>
        </h3>
        <span class="legend">gold above, predicted below · solid: match · dashed: boundary, type · hatched: one side only</span>
        <span class="walk">
          {step(-1, "Previous", "◂")}
          {chosen >= 0 && <Where rows={found.rows} corpus={corpus} doc={doc} current={current} />}
          {step(1, "Next", "▸")}
          {chosen >= 0 && (
            <button class="tool" onClick={() => copyRow(model, view)}>
              Copy <kbd>c</kbd>
            </button>
          )}
          {text !== null && (
            <button class="tool" aria-pressed={view.sides} onClick={() => view.setSides(!view.sides)}>
              Side by side <kbd>s</kbd>
            </button>
          )}
        </span>
      </div>
      {chosen >= 0 && <FlagBar model={model} view={view} id={chosen} />}
      {text === null ? (
        <Ruler marks={drawn} pick={pick} />
      ) : !view.sides ? (
        <Pane key={`b${doc}`} side="both" text={text} marks={drawn} pick={pick} />
      ) : (
        <div class="two">
          {sides.map((box, i) => (
            <Pane key={`${i} ${doc}`} side={i ? "pred" : "gold"} title={i ? "Predicted" : "Gold"} text={text} marks={drawn} pick={pick} box={box} onScroll={() => follow(box.current, sides[1 - i].current)} />
          ))}
        </div>
      )}
      <details onToggle={(event) => setTable(event.currentTarget.open)}>
        <summary>{`${plural(all.length, "span")} as a table`}</summary>
        {table && <Table marks={all} text={text} words={(mark) => corpus.raw.unplaced[mark.id - corpus.gold.doc.length] ?? ""} />}
      </details>
    </section>
  );
}

/** "3 of 12 in this document", counted among the listed findings. */
function Where({ rows, corpus, doc, current }: { rows: Int32Array; corpus: Corpus; doc: number; current: number }) {
  let first = current;
  let last = current;
  while (first > 0 && docOf(corpus, rows[first - 1]) === doc) first--;
  while (last + 1 < rows.length && docOf(corpus, rows[last + 1]) === doc) last++;
  return <span>{`${current - first + 1} of ${last - first + 1} listed here`}</span>;
}

const MOST = 500; // rows of the table: the page stays small for documents with thousands of spans

function Table({ marks, text, words }: { marks: Mark[]; text: string | null; words: (mark: Mark) => string }) {
  const scored = marks.some((m) => m.score !== null);
  return (
    <Scroll name="Spans of this document" class="">
      <table>
        <caption>{marks.length > MOST ? `The first ${MOST} of ${marks.length}; offsets in characters` : "Offsets in characters"}</caption>
        <Heads of={["Side", "Label", text !== null && "Text", "From", "To", "Kind", scored && "Confidence", "Alike"]} num={["From", "To", "Confidence"]} />
        <tbody>
          {marks.slice(0, MOST).map((m) => (
            <tr key={m.id}>
              <td class="left">{m.gold ? "gold" : "predicted"}</td>
              <td class="left"><bdi>{m.label}</bdi></td>
              {text !== null && <td class="left words"><bdi>{m.start < 0 ? words(m) : text.slice(m.from, Math.min(m.to, m.from + 200))}</bdi></td>}
              <td>{m.start < 0 ? "–" : m.start}</td>
              <td>{m.end < 0 ? "–" : m.end}</td>
              <td class="left whole">{`${sign(m.kind).glyph} ${m.kind}`}</td>
              {scored && <td>{rate(m.score, 2)}</td>}
              <td class="left">{m.alike}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
