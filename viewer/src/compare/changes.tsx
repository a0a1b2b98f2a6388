import { count, plural, seek } from "../frame/format";
import { List } from "../frame/list";
import { Documents } from "./filters";
import { DocumentView } from "./document";
import { filtered, toggled, wanted } from "./filter";
import { selectBy } from "./keys";
import { ChangeRow } from "./kwic";
import { sides, type Model, type View } from "./model";
import { changeSign, testid } from "./signs";
import { CLEAR } from "./url";

/** What was fixed and what broke, span by span. */
export function Changes({ model, view }: { model: Model; view: View }) {
  const changed = model.payload.changed;
  if (!changed || !view.found) return null;
  const { embedded, total } = changed.corpus;
  return (
    <div class="errors">
      <h2 class="hidden">Changes</h2>
      <aside class="left" aria-label="Changes by label">
        <Labels model={model} view={view} />
      </aside>
      <section class="right" aria-label="Changes">
        <div class="found">
          <Chips model={model} view={view} />
          <Bar model={model} view={view} />
          {embedded < total && <p class="note">{`${count(embedded)} of ${plural(total, "document")} are in this file; the counts are over all.`}</p>}
          {view.found.rows.length ? <Found model={model} view={view} rows={view.found.rows} /> : <Nothing model={model} view={view} />}
        </div>
        <DocumentView model={model} view={view} />
      </section>
    </div>
  );
}

/** Without filters the counts are Python's, over all documents; with filters they count what would be listed. */
function Chips({ model, view }: { model: Model; view: View }) {
  const { changes, whole } = model.payload.changed!;
  const { place, found } = view;
  const on = wanted(place, changes.length);
  const counts = filtered(place) ? found!.counts : whole;
  return (
    <div class="chips" role="group" aria-label="Kinds of change">
      {changes.map((change, k) => (
        <button
          key={change}
          class="chip"
          data-testid={testid(change)}
          aria-pressed={on[k] === 1}
          title={`${changeSign(change).says}. Shift: only these`}
          onClick={(event) => view.go({ kinds: toggled(place, k, changes.length, event.shiftKey) })}
        >
          <kbd>{k + 1}</kbd>
          <span class="glyph">{changeSign(change).glyph}</span>
          <span>{change}</span> <span class="n">{counts[k]}</span>
        </button>
      ))}
      <span class="hits" role="status">
        {count(found!.rows.length)} listed
      </span>
    </div>
  );
}

function Bar({ model, view }: { model: Model; view: View }) {
  const { labels, corpus } = model.payload.changed!;
  const { place, go } = view;
  return (
    <div class="filters" role="search">
      <label>
        {"Label "}
        <select id="label" value={String(place.label)} onChange={(e) => go({ label: Number(e.currentTarget.value) })}>
          <option value="-1">any</option>
          {labels.map((label, i) => (
            <option key={i} value={String(i)}>{label}</option>
          ))}
        </select>
      </label>
      <Documents names={corpus.names} doc={place.doc} choose={(doc) => go({ doc })} />
      <label>
        {model.payload.text === "none" ? "Name" : "Text"}{" "}
        <input id="search" type="search" value={place.q} placeholder={seek("search")} autocomplete="off" onInput={(e) => go({ q: e.currentTarget.value })} />
      </label>
      {(filtered(place) || place.kinds) && (
        <button class="link" onClick={() => go(CLEAR)}>
          Clear <kbd>Esc</kbd>
        </button>
      )}
    </div>
  );
}

function Found({ model, view, rows }: { model: Model; view: View; rows: Int32Array }) {
  const { current } = view;
  return (
    <List
      label="Changes in context"
      rows={rows.length}
      current={current}
      move={(by) => selectBy(view, model, by)}
      id={(i) => `row${rows[i]}`}
      draw={(i) => <ChangeRow key={rows[i]} model={model} view={view} row={rows[i]} place={i} total={rows.length} chosen={i === current} />}
    />
  );
}

function Nothing({ model, view }: { model: Model; view: View }) {
  const { whole } = model.payload.changed!;
  const same = [0, 1, 4, 5].every((k) => whole[k] === 0);
  const free = !filtered(view.place) && !view.place.kinds;
  return (
    <div class="empty" role="status" data-testid="nothing">
      <p>{same && free ? "No differences: both runs have the same gold spans right, and the same predictions without one." : "Nothing to list with these filters."}</p>
      <p>
        {free ? (
          <button class="tool" onClick={() => view.go({ kinds: whole.map((_, k) => k) })}>Show all spans</button>
        ) : (
          <button class="tool" onClick={() => view.go(CLEAR)}>Clear the filters</button>
        )}
      </p>
    </div>
  );
}

const MOST = 200;
const COLUMNS = [0, 1, 2, 4, 5];

/** How many were fixed and broken of each label; over all documents. */
function Labels({ model, view }: { model: Model; view: View }) {
  const { labels, by_label: counts, changes, measure, whole } = model.payload.changed!;
  const { place, go } = view;
  const [first, second] = sides(model, view);
  const moved = (l: number) => counts[l][0] + counts[l][1] + counts[l][4] + counts[l][5];
  const order = labels.map((_, i) => i).sort((a, b) => moved(b) - moved(a) || a - b);
  const line = (own: number[]) => COLUMNS.map((k) => <td key={k} class={own[k] ? "" : "none"}>{own[k]}</td>);
  return (
    <>
      <p class="who">
        <b>A</b> <bdi>{first}</bdi>
        <br />
        <b>B</b> <bdi>{second}</bdi>
      </p>
      <table class="labels">
        <caption>{`From A to B by ${measure}${labels.length > MOST ? `; the ${MOST} labels with most changes` : ""}`}</caption>
        <thead>
          <tr>
            <th scope="col">Label</th>
            {COLUMNS.map((k) => (
              <th key={k} scope="col" title={changes[k]}>
                <span aria-hidden="true">{changeSign(changes[k]).glyph}</span>
                <span class="hidden">{changes[k]}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.slice(0, MOST).map((l) => (
            <tr key={l} data-testid="label" aria-current={place.label === l ? "true" : undefined}>
              <th scope="row">
                <button onClick={() => go({ label: place.label === l ? -1 : l })} title="List only this label">
                  <span class={`hue ${model.colours[l].dotted ? "dotted" : ""}`} style={{ "--c": model.colours[l].name }} />
                  <bdi>{labels[l]}</bdi>
                </button>
              </th>
              {line(counts[l])}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All</th>
            {line(whole)}
          </tr>
        </tfoot>
      </table>
      <p class="note key">{COLUMNS.map((k) => `${changeSign(changes[k]).glyph} ${changes[k]}`).join(" · ")}</p>
    </>
  );
}
