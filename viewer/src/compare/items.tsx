import { useMemo } from "preact/hooks";
import { count, nounsOf, plural, rate, seek, title } from "../frame/format";
import { List } from "../frame/list";
import { Runs } from "./differences";
import { ends, nice, signed } from "./format";
import { moveItem } from "./keys";
import { sides, type Model, type View } from "./model";
import { Query } from "./query";
import { readingSign } from "./signs";
import { ORDERS, type Order } from "./url";

const SAYS: Record<Order, string> = { most: "most changed first", worst: "worst first", best: "best first" };

/** What a document is called in this family. */
export const unitOf = (family: string): string => nounsOf(family)[0];

/** The headline figure of every document in both runs. */
export function Items({ model, view }: { model: Model; view: View }) {
  const { payload: p } = model;
  const { place, go, items } = view;
  const unit = unitOf(p.family);
  const reading = p.items.readings[place.run];
  const tally = useMemo(() => p.readings.map((_, k) => reading.reduce((n, r) => n + Number(r === k), 0)), [reading]);
  const reach = useMemo(() => nice(Math.max(0, ...chunk(p.items.differences[place.run - 1]))), [place.run]);
  return (
    <div class="overview itemspage">
      <h2 class="hidden">{unit === "query" ? "Queries" : "Documents"}</h2>
      <div class="filters" role="search">
        {p.runs.length > 2 && <Runs model={model} view={view} />}
        <button class="tool" data-testid="only" aria-pressed={!place.all} onClick={() => go({ all: !place.all })}>
          Differences only <kbd>x</kbd>
        </button>
        <label>
          {"Order "}
          <select id="order" value={place.order} onChange={(e) => go({ order: e.currentTarget.value as Order })}>
            {ORDERS.map((one) => <option key={one} value={one}>{SAYS[one]}</option>)}
          </select>
        </label>
        <label>
          {"Name "}
          <input id="search" type="search" value={place.find} placeholder={seek("filter")} autocomplete="off" onInput={(e) => go({ find: e.currentTarget.value })} />
        </label>
        <span class="hits" role="status">{`${plural(items.length, ...nounsOf(p.family))} listed`}</span>
      </div>
      <p class="note" data-testid="tally">
        {`${title(p.items.rate)} of ${p.items.measure}: `}
        {p.readings.map((name, k) => (tally[k] ? `${readingSign(name)} ${count(tally[k])} ${name}` : null)).filter(Boolean).join(" · ")}
      </p>
      {items.length ? <Rows model={model} view={view} reach={reach} /> : (
        <div class="empty" role="status" data-testid="nothing">
          <p>{place.find ? "No such name here." : `No differences: every ${unit} has the same figure in both runs.`}</p>
          <p><button class="tool" onClick={() => go({ all: true, find: "" })}>{`Show every ${unit}`}</button></p>
        </div>
      )}
      <Query model={model} view={view} />
    </div>
  );
}

/** The largest differences, in pieces: a call with a hundred thousand arguments fails. */
function chunk(values: (number | null)[]): number[] {
  let most = 0;
  for (const value of values) if (value !== null && Math.abs(value) > most) most = Math.abs(value);
  return [most];
}

function Rows({ model, view, reach }: { model: Model; view: View; reach: number }) {
  const [first, second] = sides(model, view);
  const { items, item } = view;
  return (
    <div class="itemlist">
      <div class="itemhead" aria-hidden="true">
        <span />
        <span>{unitOf(model.payload.family) === "query" ? "Query" : "Document"}</span>
        <bdi title={first}>{first}</bdi>
        <bdi title={second}>{second}</bdi>
        <span>Δ</span>
        <span class="ends"><span>{`−${ends(reach)}`}</span><span>0</span><span>{`+${ends(reach)}`}</span></span>
      </div>
      <List
        label={`Figures of ${first} and ${second}, their difference`}
        class="tall"
        rows={items.length}
        current={item}
        move={(by) => moveItem(view, by)}
        id={(i) => `item${items[i]}`}
        draw={(i) => <Item key={items[i]} model={model} view={view} at={items[i]} place={i} reach={reach} />}
      />
      {model.payload.queries && <p class="note">Enter leads to the texts of the chosen query.</p>}
      {model.payload.changed && <p class="note">Enter or a click on the chosen one opens its changes.</p>}
    </div>
  );
}

function Item({ model, view, at, place, reach }: { model: Model; view: View; at: number; place: number; reach: number }) {
  const { items, readings } = model.payload;
  const { run } = view.place;
  const difference = items.differences[run - 1][at];
  const reading = readings[items.readings[run][at]];
  const chosen = place === view.item;
  const width = (Math.abs(difference ?? 0) / reach) * 50;
  return (
    <div
      id={`item${at}`}
      class="row item"
      data-testid="item"
      data-id={at}
      role="option"
      aria-selected={chosen}
      aria-posinset={place + 1}
      aria-setsize={view.items.length}
      onClick={() => (chosen ? openItem(model, view) : view.go({ item: at }))}
    >
      <span class="glyph" title={reading}>{readingSign(reading)}</span>
      <span class="hidden">{`${reading} `}</span>
      <bdi class="itemname" title={items.names[at]}>{items.names[at]}</bdi>
      <span class="num">{rate(items.values[0][at])}</span>
      <span class="num">{rate(items.values[run][at])}</span>
      <span class="num delta">{signed(difference)}</span>
      <span class="diverge" aria-hidden="true">
        <span class={`${(difference ?? 0) < 0 ? "down" : "up"} ${reading}`} style={{ width: `${width}%` }} />
      </span>
    </div>
  );
}

/** Show the changes of the chosen document, where its spans are in the file. */
export function openItem(model: Model, view: View): boolean {
  const { changed, queries } = model.payload;
  const at = view.items[view.item];
  if (queries && at !== undefined) return document.getElementById("open")?.focus(), true;
  if (!changed || at === undefined) return false;
  const doc = changed.corpus.names.indexOf(model.payload.items.names[at]);
  if (doc >= 0) view.go({ page: "changes", doc, kinds: null, label: -1, q: "", sel: -1 });
  return doc >= 0;
}
