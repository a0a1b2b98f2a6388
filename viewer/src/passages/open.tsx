import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { count, plural, threshold } from "../frame/format";
import { Figures } from "./figures";
import type { Model, View } from "./model";
import { misses } from "./order";
import { Normal, PassageItem, Place, type Shown } from "./passage";
import type { Queries } from "./types";

const DRAWN = 20; // passages drawn at once

/** The open query: its figures and gold answers beside what was retrieved, in order. */
export function Open({ model, view, row }: { model: Model; view: View; row: number }) {
  const { q, payload } = model;
  return (
    <section class="open card" id="open" data-testid="open" tabIndex={-1} aria-label="Open query">
      <h3 class="asked" dir="auto">
        <bdi>{q.asked?.[row] ?? q.names[row]}</bdi>
        {q.asked?.[row] && <small> <bdi>{q.names[row]}</bdi></small>}
      </h3>
      <p class="note facts">{facts(q, row, view.k).join(" · ")}</p>
      {payload.text === "none" && <p class="note">Texts are not in this report (--text none).</p>}
      <div class="both">
        <div class="aside">
          <Figures model={model} view={view} row={row} />
          <Golds q={q} row={row} />
        </div>
        <Retrieved model={model} k={view.k} row={row} />
      </div>
    </section>
  );
}

/** What can be said of a query in a line. */
function facts(q: Queries, row: number, k: number | null): string[] {
  const word = q.kind === "judged" ? "relevant document" : "gold answer";
  const out = [q.gold_number[row] ? plural(q.gold_number[row], word) : `no ${word}`];
  if (q.kind === "squad") return [...out, ...(q.pred_number[row] ? [] : ["no prediction"]), ...certainty(q, row)];
  out.push(q.pred_number[row] ? `${plural(q.pred_number[row], "passage")} retrieved` : "nothing retrieved");
  if (q.first[row]) out.push(`first answer at rank ${count(q.first[row])}`);
  if (misses(q, row, k)) out.push(k === null ? "missed" : `missed in the first ${k}`);
  return out;
}

function certainty(q: Queries, row: number): string[] {
  const chance = q.no_answer?.[row] ?? null;
  const out = chance === null ? [] : [`probability of no answer ${threshold(chance)}`];
  return q.emptied[row] ? [...out, "so the prediction counts as empty"] : out;
}

export function Golds({ q, row }: { q: Queries; row: number }) {
  const { gold, strings } = q;
  const [from, to] = [gold.edges[row], gold.edges[row + 1]];
  if (from === to) return <p class="note">No gold answer.</p>;
  const items: ComponentChildren[] = [];
  const plain = to - from > 1 && gold.text[from] < 0 && gold.start[from] < 0; // identifiers alone: one line each would be long
  for (let i = from; i < to; i++) {
    const wording = i > from && gold.group[i] === gold.group[i - 1];
    items.push(
      <li key={i} class={wording ? "wording" : ""}>
        <span class="tag">{wording ? "or" : `gold ${gold.group[i] + 1}`}</span>
        {gold.grade[i] > 1 && <span class="note">{` grade ${gold.grade[i]}`}</span>} <Place q={q} of={gold} at={i} />
        {gold.text[i] >= 0 && <p class="quote words" dir="auto">{strings[gold.text[i]]}</p>}
        <Normal q={q} at={gold.normal[i]} text={gold.text[i]} />
      </li>,
    );
  }
  const left = q.gold_number[row] - (gold.group[to - 1] + 1);
  return (
    <section aria-label="Gold answers">
      <h4>{q.kind === "judged" ? "Judged relevant" : "Gold answers"}</h4>
      <ul class={`golds-list ${plain ? "plain" : ""}`}>{items}</ul>
      {left > 0 && <p class="note">{`${count(left)} more are not in this file.`}</p>}
    </section>
  );
}

export function Retrieved({ model, k, row, name }: { model: Shown; k: number | null; row: number; name?: string }) {
  const { q } = model;
  const [drawn, draw] = useState(DRAWN);
  const { edges, rank } = q.passages;
  const [from, to] = [edges[row], edges[row + 1]];
  const last = Math.min(to, from + drawn);
  const items: ComponentChildren[] = [];
  for (let i = from; i < last; i++) {
    const cut = k !== null && rank[i] > k && (i === from || rank[i - 1] <= k);
    if (cut) items.push(<li key="cut" class="cut"><span>{`below the cutoff k = ${k}`}</span></li>);
    items.push(<PassageItem key={i} model={model} at={i} beyond={k !== null && rank[i] > k} />);
  }
  const all = q.pred_number[row];
  return (
    <section class="retrieved" aria-label={name ? `Retrieved by ${name}` : "Retrieved passages"}>
      <h4>{name && <><bdi>{name}</bdi>: </>}{q.kind === "squad" ? "Prediction" : "Retrieved, best first"}</h4>
      <p class="note">{q.rule}</p>
      {from === to && <p class="empty">{all ? "Its passages are not in this file." : "Nothing was retrieved."}</p>}
      <ol class="passages">{items}</ol>
      {last < to && (
        <button class="tool" onClick={() => draw(drawn + DRAWN)}>{`Show ${Math.min(DRAWN, to - last)} more of ${count(to - last)}`}</button>
      )}
      {to - from > 0 && to - from < all && (
        <p class="note">{`${count(to - from)} of ${count(all)} passages are in this file: the first, and those beyond that hold an answer.`}</p>
      )}
    </section>
  );
}
