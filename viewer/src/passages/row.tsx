import { count, NONE, rate } from "../frame/format";
import { memo } from "../frame/memo";
import type { Model, View } from "./model";
import { figureAt, keyOf, valueOf } from "./rates";
import { said, Strip } from "./strip";
import type { Column, Queries } from "./types";

interface Props {
  model: Model;
  view: View;
  columns: Column[];
  id: number;
  place: number;
  total: number;
  chosen: boolean;
}

/** One query: its name, its strip, the first answer's rank, its gold answers, its figures. */
function Plain({ model: { q, cells }, view, columns, id, place, total, chosen }: Props) {
  const { k } = view;
  return (
    <div
      id={`query${id}`}
      class="row"
      data-testid="row"
      data-id={id}
      role="option"
      aria-selected={chosen}
      aria-posinset={place + 1}
      aria-setsize={total}
      onClick={() => view.go({ sel: id })}
    >
      <span class="query" title={q.names[id]}>
        <bdi>{q.asked?.[id] ?? q.names[id]}</bdi>
        {q.kind === "squad" && <Peek q={q} row={id} />}
      </span>
      <span class="cells">
        {q.pred_number[id] ? <Strip q={q} row={id} cells={cells} k={k} /> : <span class="nothing" aria-hidden="true">nothing retrieved</span>}
        <span class="hidden">{said(q, id, k)}</span>
      </span>
      {q.kind !== "squad" && <span class="num first">{q.first[id] ? `#${q.first[id]}` : NONE}</span>}
      <span class="num golds">{count(q.gold_number[id])}</span>
      {columns.map((column) => (
        <span key={keyOf(column)} class="num" data-rate={keyOf(column)}>{rate(valueOf(figureAt(q, column, view.place.step), id), 3)}</span>
      ))}
    </div>
  );
}

/** A question's prediction and its first gold answer. */
function Peek({ q, row }: { q: Queries; row: number }) {
  const text = (of: { edges: Int32Array; text: Int32Array }) => (of.edges[row] < of.edges[row + 1] ? q.strings[of.text[of.edges[row]]] : undefined);
  const quoted = (words: string | undefined) => (words?.trim() ? <bdi>{words}</bdi> : <i>nothing</i>);
  if (text(q.passages) === undefined && text(q.gold) === undefined) return null; // withheld
  return (
    <span class="peek">
      {" "}
      {quoted(text(q.passages))} for {quoted(text(q.gold))}
    </span>
  );
}

export const QueryRow = memo(
  Plain,
  (a, b) => a.id === b.id && a.place === b.place && a.total === b.total && a.chosen === b.chosen && a.view.place.step === b.view.place.step,
);
