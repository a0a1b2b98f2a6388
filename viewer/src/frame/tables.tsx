import { plural, rate, title } from "./format";
import { Interval } from "./interval";
import type { Report, Row } from "./types";

interface Line {
  measure: number;
  rate: string;
  cells: (Row | undefined)[];
}

/** Overall figures: one line for each measure and rate, one column for each average. */
export function lines(p: Report): { averages: string[]; lines: Line[] } {
  const rows = p.rows.filter((row) => row[3] === null);
  const averages = [...new Set(rows.map((row) => row[2]))];
  const at = new Map<string, Line>();
  for (const row of rows) {
    const key = `${row[0]} ${row[1]}`;
    let line = at.get(key);
    if (!line) at.set(key, (line = { measure: row[0], rate: row[1], cells: [] }));
    line.cells[averages.indexOf(row[2])] = row;
  }
  return { averages, lines: [...at.values()] };
}

const words: Record<string, string> = { document: "Mean over documents" };

export function Tables({ payload }: { payload: Report }) {
  const { averages, lines: all } = lines(payload);
  const unit = all.every((l) => l.cells.every((c) => !c || c[4] === null || (c[4] >= 0 && c[4] <= 1)));
  return (
    <section class="card">
      <h3>All measures</h3>
      <div class="scroll wide" tabIndex={0} role="region" aria-label="All measures">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">Measure</th>
              <th scope="col">Rate</th>
              {averages.map((a) => (
                <th key={a} scope="col">{words[a] ?? title(a)}</th>
              ))}
              {unit && <th scope="col" class="wideonly">{words[averages[0]] ?? title(averages[0] ?? "")}, 0 to 1</th>}
            </tr>
          </thead>
          <tbody>
            {all.map((line, i) => (
              <tr key={i} class={i > 0 && all[i - 1].measure === line.measure ? "" : "group"}>
                <th scope="row">{i > 0 && all[i - 1].measure === line.measure ? <span class="hidden">{payload.measures[line.measure]?.short}</span> : payload.measures[line.measure]?.short}</th>
                <td class="left">{title(line.rate)}</td>
                {averages.map((a, j) => (
                  <td key={a}><Cell row={line.cells[j]} /></td>
                ))}
                {unit && <td class="wideonly">{line.cells[0] && <Interval value={line.cells[0][4]} low={line.cells[0][5]} high={line.cells[0][6]} />}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** What a mean over labels leaves out. */
export const undefinedLabels = (none: number): string => `without ${plural(none, "label")} where it is undefined`;

function Cell({ row }: { row: Row | undefined }) {
  if (!row) return null;
  const [, , average, , value, low, high, documents, none] = row;
  const known = none ? (average === "document" ? `undefined in ${none} of ${documents} documents` : undefinedLabels(none)) : "";
  return (
    <>
      <span title={known}>{rate(value)}</span>
      {low !== null && high !== null && <small>{`${rate(low, 3)} to ${rate(high, 3)}`}</small>}
    </>
  );
}
