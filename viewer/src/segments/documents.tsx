import { List } from "../frame/list";
import { count, plural, rate, seek, title } from "../frame/format";
import { memo } from "../frame/memo";
import { choices, EXTRA, ribbon, type Sort } from "./corpus";
import { lines, places, type Range } from "./draw";
import { documentBy } from "./keys";
import type { Model, View } from "./model";
import type { Corpus } from "./types";

const WIDE = 132; // pixels of a tiny ribbon
const MOST = 5; // segmentations in a tiny ribbon

/** One thin ribbon a document, worst first. */
export function Documents({ model, view }: { model: Model; view: View }) {
  const { corpus: c } = model;
  const { place, go, rows } = view;
  const lanes = Math.min(MOST, c.methods.length);
  const values = c.values[place.by];
  return (
    <section class="doclist" aria-label="Documents">
      <div class="filters" role="search">
        <label>
          {"Documents "}
          <select id="sort" data-testid="sort" value={place.sort} onChange={(e) => go({ sort: e.currentTarget.value as Sort })}>
            <option value="worst">worst first</option>
            <option value="name">by name</option>
            <option value="length">longest first</option>
          </select>
        </label>
        {choices(c).length > 1 && (
          <select aria-label="Worst for" data-testid="by" value={place.by} onChange={(e) => go({ by: e.currentTarget.value })}>
            {choices(c).map((key) => (
              <option key={key} value={key}>{key === "mean" ? "mean of all methods" : c.methods[Number(key)]}</option>
            ))}
          </select>
        )}
        <input id="search" data-testid="search" type="search" aria-label="Find a document by its name" placeholder={seek("name")} value={place.q} autocomplete="off" onInput={(e) => go({ q: e.currentTarget.value })} />
      </div>
      <p class="note" role="status">
        {`${count(rows.length)} listed · ${figure(model)}`}
        {c.embedded < c.total && ` · ${count(c.embedded)} of ${plural(c.total, "document")} are in this file; the figures are over all.`}
      </p>
      {rows.length ? (
        <div onKeyDown={(event) => event.key === "Enter" && document.querySelector<HTMLElement>(".boundaries [role=listbox]")?.focus()}>
          <List
            label="Documents"
            class="corpus"
            rows={rows.length}
            current={rows.indexOf(view.doc)}
            move={(by) => documentBy(view, by)}
            id={(i) => `doc${rows[i]}`}
            tallness={lanes > 3 ? 40 : 32}
            draw={(i) => (
              <Row key={rows[i]} corpus={c} doc={rows[i]} step={place.step} lanes={lanes} value={rate(values[rows[i]], 3)} chosen={rows[i] === view.doc} place={i} total={rows.length} pick={() => go({ doc: rows[i], at: -1 })} />
            )}
          />
        </div>
      ) : (
        <p class="empty">No document has such a name.</p>
      )}
    </section>
  );
}

function figure({ corpus: c, gold }: Model): string {
  const name = `${title(c.rate.name)} of ${c.rate.measure}`;
  return gold ? name : `${name}, mean of all pairs`;
}

interface Props {
  corpus: Corpus;
  doc: number;
  step: number;
  lanes: number;
  value: string;
  chosen: boolean;
  place: number;
  total: number;
  pick: () => void;
}

function Plain({ corpus: c, doc, step, lanes, value, chosen, place, total, pick }: Props) {
  return (
    <div id={`doc${doc}`} class="row" data-testid="document-row" role="option" aria-selected={chosen} aria-posinset={place + 1} aria-setsize={total} onClick={pick}>
      <bdi class="docname" title={c.names[doc]}>{c.names[doc]}</bdi>
      <Tiny corpus={c} doc={doc} step={step} lanes={lanes} />
      <span class="docvalue">{value}</span>
    </div>
  );
}

/** Ticks where boundaries are; those that are extra or missed stand out. Four elements, however long the text. */
function Tiny({ corpus: c, doc, step, lanes }: { corpus: Corpus; doc: number; step: number; lanes: number }) {
  const length = c.lengths[doc];
  const range: Range = { from: 0, to: WIDE, scale: WIDE / Math.max(1, length) };
  const high = lanes > 3 ? 5 : 8;
  let fine = "";
  let bad = "";
  let body = "";
  for (let n = 0; n < lanes; n++) {
    const one = ribbon(c, doc, n, step);
    const y = n * (high + 2);
    if (!one.has) continue;
    body += `M0 ${y}h${WIDE}v${high}h${-WIDE}z`;
    fine += lines(places(one.at, (i) => one.kind?.[i] !== EXTRA, range), y, high);
    bad += lines(places(one.at, (i) => one.kind?.[i] === EXTRA, range), y, high);
    const gold = c.sides[0].at.subarray(c.sides[0].first[doc]);
    bad += lines(places(Array.from(one.missed, (i) => gold[i]), () => true, range), y, high);
  }
  return (
    <svg class="tiny" width={WIDE} height={lanes * (high + 2)} aria-hidden="true">
      <path class="tinybody" d={body} />
      <path class="tick" d={fine} />
      <path class="bad" d={bad} />
    </svg>
  );
}

const Row = memo(
  Plain,
  (a, b) => a.doc === b.doc && a.step === b.step && a.value === b.value && a.chosen === b.chosen && a.place === b.place && a.total === b.total,
);

