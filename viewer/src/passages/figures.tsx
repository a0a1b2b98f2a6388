import { rate, title } from "../frame/format";
import type { Model, View } from "./model";
import { cutoffOf, figureAt, keyOf, valueOf } from "./rates";
import type { Column } from "./types";
import { Scroll } from "../frame/scroll";

/** All figures of a query: one line per rate, one column per cutoff; figures without cutoff stand under the first. */
export function Figures({ model, view, row }: { model: Model; view: View; row: number }) {
  const { q, payload } = model;
  const moving = q.columns.filter((column) => column.measures.length > 1);
  const fixed = q.columns.filter((column) => column.measures.length === 1);
  const value = (column: Column, step: number) => rate(valueOf(figureAt(q, column, step), row));
  const several = new Set(fixed.map((column) => column.measures[0])).size + (moving.length ? 1 : 0) > 1;
  const name = (column: Column) => {
    const k = column.measures.length > 1 ? null : cutoffOf(q, column, 0);
    const twice = several && q.columns.filter((other) => other.rate === column.rate).length > 1;
    return `${title(column.rate)}${k === null ? "" : ` at ${k}`}${twice ? ` (${payload.measures[column.measures[0]].form.split("(")[0].replace("passages.", "")})` : ""}`;
  };
  return (
    <section aria-label="Figures of this query" class="own">
      {moving.length > 0 && (
        <Scroll name="Figures by cutoff">
          <table>
            <thead>
              <tr>
                <th scope="col">At k =</th>
                {q.cutoffs.map((k, i) => <th key={k} scope="col" class={`num ${i === view.place.step ? "here" : ""}`}>{k}</th>)}
              </tr>
            </thead>
            <tbody>
              {moving.map((column) => (
                <tr key={keyOf(column)}>
                  <th scope="row">{name(column)}</th>
                  {q.cutoffs.map((k, i) => (
                    <td key={k} class={i === view.place.step ? "here" : ""} data-figure={`${keyOf(column)}@${k}`}>{value(column, i)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {fixed.length > 0 && (
        <dl class="few-figures">
          {fixed.map((column) => (
            <div key={keyOf(column)}>
              <dt>{name(column)}</dt>
              <dd data-figure={keyOf(column)}>{value(column, 0)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
