import { count, plural } from "../frame/format";
import { List } from "../frame/list";
import { Bar } from "./filters";
import { moveBy, type Model, type View } from "./model";
import { Open } from "./open";
import { keyOf, leading, long, short } from "./rates";
import { QueryRow } from "./row";
import { pitch } from "./strip";
import type { Column } from "./types";
import { useNarrow } from "./narrow";
import { CLEAR } from "./url";

const SHOWN = 4; // figures in a row

export function Queries({ model, view }: { model: Model; view: View }) {
  const { q, cells } = model;
  const columns = leading(q, SHOWN);
  const narrow = useNarrow();
  const sizes = { "--strip": `${Math.max(104, cells * pitch(cells))}px`, "--n": columns.length, "--small": q.kind === "squad" ? 1 : 2 };
  const row = view.current < 0 ? -1 : view.rows[view.current];
  return (
    <div class="queries" style={sizes}>
      <h2 class="hidden">Queries</h2>
      <Bar model={model} view={view} />
      {q.embedded < q.total && (
        <p class="note">{`${count(q.embedded)} of ${plural(q.total, "query", "queries")} are in this file, the worst; the scores are over all.`}</p>
      )}
      <section aria-label="Queries">
        <Heads model={model} view={view} columns={columns} />
        {view.rows.length ? (
          <List
            label="Queries"
            rows={view.rows.length}
            current={view.current}
            tallness={narrow ? 54 : 30}
            move={(by) => moveBy(view, by)}
            id={(i) => `query${view.rows[i]}`}
            draw={(i) => (
              <QueryRow
                key={view.rows[i]}
                model={model}
                view={view}
                columns={columns}
                id={view.rows[i]}
                place={i}
                total={view.rows.length}
                chosen={i === view.current}
              />
            )}
          />
        ) : (
          <Nothing model={model} view={view} />
        )}
      </section>
      {row >= 0 && <Open key={row} model={model} view={view} row={row} />}
    </div>
  );
}

/** What stands over the columns; each figure sorts, the worst first. */
function Heads({ model: { q, cells }, view, columns }: { model: Model; view: View; columns: Column[] }) {
  const { place, go } = view;
  const head = (sort: string, name: string, says: string, kind = "num") => (
    <button key={sort} class={`head ${kind}`} aria-pressed={place.sort === sort} title={says} aria-label={`${name}, ${says}`} onClick={() => go({ sort })}>
      {name}
      {place.sort === sort && <span aria-hidden="true"> ↑</span>}
    </button>
  );
  return (
    <div class="heads">
      {head("name", "Query", "sort by name", "")}
      <span>{cells > 1 ? `Ranks 1–${cells}` : "Answer"}</span>
      {q.kind !== "squad" && head("first", "First", "rank of the first answer: sort, farthest first", "num first")}
      <span class="num golds">Gold</span>
      {columns.map((column) => head(keyOf(column), short(q, column, place.step), `${long(q, column, place.step)}: sort, worst first`))}
    </div>
  );
}

function Nothing({ model, view }: { model: Model; view: View }) {
  const { q, miss } = view.place;
  const where = view.k === null ? "" : ` among the first ${view.k}`;
  const words = !model.q.names.length
    ? "There are no queries."
    : miss && !q
      ? `Every query that has an answer finds one${where}.`
      : "No query fits these filters.";
  return (
    <div class="empty" role="status">
      <p>{words}</p>
      {(q || miss) && (
        <p>
          <button class="tool" onClick={() => view.go(CLEAR)}>Clear the filters</button>
        </p>
      )}
    </div>
  );
}
