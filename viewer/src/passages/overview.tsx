import { intervals } from "../frame/about";
import { Cards, leading, type Shown } from "../frame/cards";
import { count, plural } from "../frame/format";
import { Slices } from "../frame/slices";
import { Tables } from "../frame/tables";
import { Verdict } from "../frame/verdict";
import { Cutoffs } from "./chart";
import type { Model, View } from "./model";
import { keyOf, long, mains, overall } from "./rates";

const CARDS = 6;

export function Overview({ model, view }: { model: Model; view: View }) {
  const { payload, q } = model;
  const cards = mains(q, CARDS).flatMap((column): Shown[] => {
    const row = overall(payload, column, view.place.step);
    return row ? [{ name: long(q, column, view.place.step), under: "", row, id: `card-${keyOf(column)}` }] : [];
  });
  const none = q.firsts?.find(([low]) => !low)?.[2] ?? 0;
  const due = q.firsts?.reduce((sum, one) => sum + one[2], 0) ?? 0;
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      <Verdict payload={payload} leads={cards.slice(0, 1)}>
        {due > 0 && (
          <p>
            {none ? <>Largest problem: <strong>{`${count(none)} of ${plural(due, "query", "queries")} find no answer`}</strong>. </> : "Every query that has an answer finds one. "}
            {q.rule}
          </p>
        )}
        <p>{`${leading(payload, "query", "queries")} ${intervals(payload, "queries")}`}</p>
      </Verdict>
      <Cards all={cards.slice(1)} />
      <div class={q.cutoffs.length > 1 && q.firsts ? "halves uneven" : ""}>
        <Cutoffs model={model} view={view} />
        <Firsts model={model} view={view} />
      </div>
      <Slices payload={payload} noun="Queries" />
      <Tables payload={payload} noun="queries" />
    </div>
  );
}

/** At which rank queries find their first answer. The last line leads to those that find none. */
function Firsts({ model: { q, payload }, view }: { model: Model; view: View }) {
  if (!q.firsts) return null;
  const most = Math.max(1, ...q.firsts.map((one) => one[2]));
  const judged = q.kind === "judged";
  return (
    <section class="card">
      <h3>{judged ? "Rank of the first relevant document" : "Rank of the first answer"}</h3>
      <table class="firsts">
        <thead class="hidden">
          <tr>
            <th scope="col">Rank</th>
            <th scope="col">Queries</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {q.firsts.map(([low, high, number]) => (
            <tr key={low} class={low ? "" : "never"}>
              <th scope="row">
                {low ? (low === high ? low : `${low}–${high}`) : <button class="link" onClick={() => view.go({ page: "queries", miss: true, sort: "first" })}>none</button>}
              </th>
              <td>{count(number)}</td>
              <td class="bar"><span style={{ width: `${(100 * number) / most}%` }} /></td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">{`Queries that have a gold answer, of ${plural(payload.documents, "query", "queries")}. ${q.rule}`}</p>
    </section>
  );
}
