import { Cards } from "../frame/cards";
import { count, plural } from "../frame/format";
import { Tables } from "../frame/tables";
import type { Payload, PlainTable } from "./types";

export function Overview({ payload }: { payload: Payload }) {
  const { corpus: c, tables } = payload;
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      {tables ? (
        <>
          {tables.filter(wide).map((table, i) => <Plain key={i} table={table} />)}
          <div class="halves">{tables.filter((table) => !wide(table)).map((table, i) => <Plain key={i} table={table} />)}</div>
        </>
      ) : (
        <>
          <Cards payload={payload} />
          <Tables payload={payload} />
        </>
      )}
      {c.embedded < c.total && <p class="note">{`${count(c.embedded)} of ${plural(c.total, "document")} are in this file; the figures are over all.`}</p>}
    </div>
  );
}

/** Tables of methods against gold and large matrices take the whole width, all others half of it. */
const wide = (table: PlainTable): boolean => table.heads.length > 7 || (table.heads[0] === "Method" && table.heads.length > 5);
const LONG = 14; // rows beyond which a table scrolls

/** A table as Python wrote it. In a matrix of rates from 0 to 1 the shade follows the number that is printed. */
function Plain({ table }: { table: PlainTable }) {
  const matrix = table.title.startsWith("Each against each");
  const left = (i: number) => (table.left.includes(i) ? "left" : "num");
  const row = table.heads[0] === "" ? 1 : 0; // the column that names the row
  return (
    <section class="card">
      <h3>{table.title}</h3>
      <div class={`scroll ${table.rows.length > LONG ? "tall" : "wide"}`} tabIndex={0} role="region" aria-label={table.title}>
        <table class={`plain ${matrix ? "heat" : ""}`}>
          <thead>
            <tr>
              {table.heads.map((head, i) => (head ? <th key={i} scope="col" class={left(i)}>{head}</th> : <td key={i} />))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells, r) => (
              <tr key={r}>
                {cells.map((cell, i) =>
                  i === row ? <th key={i} scope="row"><bdi>{cell}</bdi></th> : <td key={i} class={left(i)} style={matrix ? shade(cell) : {}}><bdi>{cell}</bdi></td>,
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.note && <p class="note">{table.note}</p>}
    </section>
  );
}

function shade(cell: string): Record<string, string> {
  return /^[01]\.\d+$/.test(cell) ? { "--s": `${Math.min(1, Number(cell)) * 45}%` } : {};
}
