import { intervals } from "../frame/about";
import { count, plural, rate } from "../frame/format";
import { Interval } from "../frame/interval";
import { Tables } from "../frame/tables";
import { Cutoffs } from "./chart";
import type { Model, View } from "./model";
import { keyOf, long, mains, overall } from "./rates";

const CARDS = 6;

export function Overview({ model, view }: { model: Model; view: View }) {
  const { payload, q } = model;
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      <ul class="cards">
        {mains(q, CARDS).map((column) => {
          const row = overall(payload, column, view.place.step);
          return (
            row && (
              <li key={keyOf(column)} class="card">
                <div class="what">{long(q, column, view.place.step)}</div>
                <div class="value" data-testid={`card-${keyOf(column)}`}>{rate(row[4])}</div>
                <Interval value={row[4]} low={row[5]} high={row[6]} />
                {row[5] !== null && row[6] !== null && <div class="bounds">{`${rate(row[5])} to ${rate(row[6])}`}</div>}
              </li>
            )
          );
        })}
      </ul>
      <p class="about">{`Means over ${plural(payload.documents, "query", "queries")}. ${intervals(payload)}`}</p>
      <div class={q.cutoffs.length > 1 && q.firsts ? "halves uneven" : ""}>
        <Cutoffs model={model} view={view} />
        <Firsts model={model} view={view} />
      </div>
      <Tables payload={payload} />
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
