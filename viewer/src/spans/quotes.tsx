import { useState } from "preact/hooks";
import { count, plural, rate } from "../frame/format";
import { Interval } from "../frame/interval";
import type { Model, View } from "./model";
import { Heads, Lines } from "./signs";
import type { Lost, Quotes } from "./types";
import { CLEAR } from "./url";

const KINDS = ["exact", "normalised", "fuzzy", "surplus", "not_found", "empty", "ambiguous"];

/** How the quotes of a model were placed: shares not found by label, and every quote without a place. */
export function Quoted({ model, view }: { model: Model; view: View }) {
  const quotes = model.payload.quotes;
  const [q, setQ] = useState("");
  if (!quotes) return null;
  const open = (line: Lost) => {
    if (model.corpus && line.doc >= 0) view.go({ ...CLEAR, page: "errors", kinds: model.names.kinds.map((_, kind) => kind), doc: line.doc });
  };
  const word = q.toLowerCase();
  const has = (text: string | null) => (text ?? "").toLowerCase().includes(word);
  const lines = quotes.lines.filter((line) => !word || has(line.label) || has(line.document) || has(line.why) || has(line.quote));
  return (
    <div class="leaks">
      <h2>Quotes</h2>
      <p>{KINDS.filter((kind) => quotes.counts[kind]).map((kind) => `${count(quotes.counts[kind])} ${kind.replace("_", " ")}`).join(", ")}.</p>
      {quotes.as_given !== null && <p data-testid="as-given">{`With the offsets as the model gave them the headline is ${rate(quotes.as_given)}.`}</p>}
      <ByLabel quotes={quotes} />
      <div class="filters">
        <label for="quote">Filter</label>
        <input id="quote" type="search" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
        <span role="status">{`${plural(lines.length, "quote")} without a place`}</span>
      </div>
      <p class="note">Struck out: only in the quote. Underlined: only in the text.</p>
      <Lines
        lines={lines}
        heads={["Label", "Status", "Why", "Quote", "Nearest passage, as a diff"]}
        cells={(line) => [line.label, line.status, line.why, line.quote ?? "–", <Diff line={line} />]}
        open={open}
        id="lost"
        name="Quotes without a place"
      />
    </div>
  );
}

/** The share of quotes that stand nowhere in their documents. */
function ByLabel({ quotes }: { quotes: Quotes }) {
  return (
    <table class="card">
      <caption>Quotes not found. 95 % intervals are Wilson’s, by documents: quotes of one document fail together.</caption>
      <Heads of={["Label", "Not found", "of", "Share", "Share, 0 to 1"]} />
      <tbody>
        {quotes.shares.map(({ label, number, items, share: [value, low, high] }) => (
          <tr key={label}>
            <th>{label === null ? "any label" : <bdi>{label}</bdi>}</th>
            <td>{count(number)}</td>
            <td>{count(items)}</td>
            <td>{rate(value)}</td>
            <td class="wideonly"><Interval value={value} low={low} high={high} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Diff({ line }: { line: Lost }) {
  if (!line.diff) return <>{line.nearest ? `${line.nearest[0]}–${line.nearest[1]}` : "–"}</>;
  const draw = ([side, words]: [string, string], i: number) => (side === "both" ? words : side === "quote" ? <del key={i}>{words}</del> : <ins key={i}>{words}</ins>);
  return <>{line.diff.map(draw)}</>;
}
