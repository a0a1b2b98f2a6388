import { useMemo } from "preact/hooks";
import { count, plural, seek } from "../frame/format";
import { SortHeads } from "../frame/heads";
import { List } from "../frame/list";
import { InContext } from "../spans/context";
import { FlagChoice } from "../spans/flag";
import { GLYPHS, keyOf } from "../spans/flags";
import { moveSuspect } from "./keys";
import type { Model, View } from "./model";
import { Pane, type Mark } from "./pane";
import { Ruler } from "./ruler";
import { foundSpan, goldSpan, labelsOf, textOf } from "./suspects";
import type { Audit } from "./types";

const COLUMNS = { agree: "Agree", kind: "Kind", doc: "Document", text: "Text", labels: "Gold → agreed" };

/** Spans where most runs agree with one another against gold, those most agreed on first. */
export function Suspects({ model, view }: { model: Model; view: View }) {
  const a = model.payload.audit;
  if (!a) return null;
  const { place, go, suspects } = view;
  const chosen = suspects[view.suspect] ?? -1;
  const kinds = [...new Set(a.kind)];
  return (
    <div class="errors suspects">
      <h2 class="hidden">Suspects</h2>
      <aside class="left" aria-label="What is suspected">
        <p>{`Spans that ${a.systems.length > 2 ? `more than half of the ${a.systems.length} runs` : "both runs"} have and gold has not. Runs that learned from the same data make the same errors: look before you flag.`}</p>
        {kinds.length > 0 && <table class="labels">
          <caption>By kind</caption>
          <thead>
            <tr><th scope="col">Kind</th><th scope="col">Number</th></tr>
          </thead>
          <tbody>
            {kinds.map((kind) => (
              <tr key={kind} aria-current={place.why === kind ? "true" : undefined}>
                <th scope="row"><button onClick={() => go({ why: place.why === kind ? "" : kind })}>{kind}</button></th>
                <td>{count(a.kind.filter((one) => one === kind).length)}</td>
              </tr>
            ))}
          </tbody>
        </table>}
        {a.kind.length < a.total && <p class="note">{`${count(a.kind.length)} of ${plural(a.total, "suspect")} are in this file, those most agreed on.`}</p>}
      </aside>
      <section class="right" aria-label="Suspects">
        <div class="found">
          <div class="filters" role="search">
            <label>
              {model.payload.text === "none" ? "Name or label" : "Text, name or label"}{" "}
              <input id="search" type="search" value={place.q} placeholder={seek("search")} autocomplete="off" onInput={(e) => go({ q: e.currentTarget.value })} />
            </label>
            {(place.why || place.q) && <button class="link" onClick={() => go({ why: "", q: "" })}>Clear <kbd>Esc</kbd></button>}
            <span class="hits" role="status">{`${count(suspects.length)} listed`}</span>
          </div>
          {suspects.length ? (
            <>
              <SortHeads of={COLUMNS} sort={place.rank} set={(rank) => go({ rank })} />
              <List
                label="Suspects in context"
                rows={suspects.length}
                current={view.suspect}
                move={(by) => moveSuspect(view, by)}
                id={(i) => `suspect${suspects[i]}`}
                draw={(i) => <Row key={suspects[i]} model={model} view={view} at={suspects[i]} place={i} />}
              />
            </>
          ) : (
            <p class="empty" role="status">{a.total ? "Nothing to list with these filters." : "No span that most runs agree on is missing from gold."}</p>
          )}
        </div>
        {chosen >= 0 && <Suspect model={model} view={view} at={chosen} />}
      </section>
    </div>
  );
}

function Row({ model, view, at, place }: { model: Model; view: View; at: number; place: number }) {
  const a = model.payload.audit!;
  const { found, gold } = a;
  const text = textOf(model.payload, found.doc[at]);
  const row = a.row[at];
  const flag = view.flags[keyOf(foundSpan(a, at))] ?? (row < 0 ? undefined : view.flags[keyOf(goldSpan(a, at)!)]);
  const [was, is] = labelsOf(a, at);
  const name = a.names[found.doc[at]];
  const colour = { "--b": model.hues[found.label[at]].name, "--g": row < 0 ? "transparent" : model.hues[gold.label[row]].name };
  return (
    <div id={`suspect${at}`} class="row" data-testid="suspect" role="option" aria-selected={place === view.suspect} aria-posinset={place + 1} aria-setsize={view.suspects.length} style={colour} onClick={() => view.go({ suspect: at })}>
      <span class="glyph">{flag && <b class="flag" title={flag.says}>{GLYPHS[flag.says]}</b>}</span>
      <span class="agree" title={a.votes[at].map((n) => a.systems[n]).join(", ")}>{`${a.votes[at].length} of ${a.of[at]}`}</span>
      <span class="kind">{a.kind[at]}</span>
      <bdi class="doc" title={name}>{name}</bdi>
      {text === null ? (
        <span class="offsets">{`${row < 0 ? "" : `gold ${gold.start[row]}–${gold.end[row]} · `}agreed ${found.start[at]}–${found.end[at]}`}</span>
      ) : (
        <InContext
          text={text}
          sides={[row < 0 ? null : [gold.start16[row], gold.end16[row]], [found.start16[at], found.end16[at]]]}
          draw={({ text, in: [g, p] }, key) => <span key={key} class={p ? "b" : ""}><span class={g ? "g" : ""}>{text}</span></span>}
        />
      )}
      <span class="pair"><bdi>{was}</bdi> → <bdi>{is}</bdi></span>
    </div>
  );
}

/** Every span of gold in a document, and what runs agree on there. */
function marks(model: Model, a: Audit, doc: number, chosen: number): Mark[] {
  const out: Mark[] = [];
  const add = (side: "gold" | "a", at: number, row: number, kind: string, fill: string) => {
    const own = a[side === "gold" ? "gold" : "found"];
    const label = a.labels[own.label[at]];
    const who = side === "gold" ? "gold" : "agreed on";
    out.push({
      id: side + at, side, row, kind, fill, label, colour: model.hues[own.label[at]], sign: "",
      says: `${who} ${label}, ${own.start[at]}–${own.end[at]}${kind && `: ${kind}`}`,
      from: own.start16[at], to: own.end16[at], start: own.start[at], end: own.end[at], chosen: row >= 0 && row === chosen,
    });
  };
  a.gold.doc.forEach((own, at) => own === doc && add("gold", at, a.row.indexOf(at), "", a.row.includes(at) ? "dashed" : "solid"));
  a.found.doc.forEach((own, at) => own === doc && add("a", at, at, a.kind[at], "hatched"));
  return out.sort((x, y) => x.from - y.from || x.to - y.to);
}

/** The document of the chosen suspect, who says so, and what may be said of it. */
function Suspect({ model, view, at }: { model: Model; view: View; at: number }) {
  const a = model.payload.audit!;
  const doc = a.found.doc[at];
  const all = useMemo(() => marks(model, a, doc, at), [model, doc, at]);
  const text = textOf(model.payload, doc);
  const pick = (mark: Mark) => mark.row >= 0 && view.go({ suspect: mark.row, ...(view.suspects.includes(mark.row) ? {} : { why: "", q: "" }) });
  const names = (own: number[]) => own.map((n) => a.systems[n]).join(", ");
  const [gold, found] = [goldSpan(a, at), foundSpan(a, at)];
  return (
    <section class="document" data-testid="document" aria-label={`Document ${a.names[doc]}`}>
      <div class="dochead">
        <h3>
          Document <bdi>{a.names[doc]}</bdi>
        </h3>
        <span class="legend">
          gold above, what runs agree on below · <bdi>{names(a.votes[at])}</bdi> agree{a.with_gold[at].length > 0 && <> · <bdi>{names(a.with_gold[at])}</bdi> with gold</>}
        </span>
        <span class="walk">
          <button class="tool" onClick={() => moveSuspect(view, -1)} aria-label="Previous suspect">◂</button>
          <button class="tool" onClick={() => moveSuspect(view, 1)} aria-label="Next suspect">▸</button>
        </span>
      </div>
      <div class="flagbar" role="group" aria-label="Flags">
        {gold && <FlagChoice key={`g${at}`} gold label={gold.label} flag={view.flags[keyOf(gold)]} set={(says, note) => view.flag([gold, says, note])} first={false} />}
        <FlagChoice key={`f${at}`} gold={false} label={found.label} flag={view.flags[keyOf(found)]} set={(says, note) => view.flag([found, says, note])} first />
      </div>
      {text === null ? <Ruler marks={all} pick={pick} /> : <Pane key={doc} text={text} marks={all} pick={pick} />}
    </section>
  );
}
