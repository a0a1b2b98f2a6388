import { plural, rate, title } from "./format";
import type { Report, Row } from "./types";
import { Scroll } from "./scroll";

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

export function Tables({ payload, noun = "documents" }: { payload: Report; noun?: string }) {
  const { averages, lines: all } = distinct(lines(payload));
  const words: Record<string, string> = { document: `Mean over ${noun}` };
  return (
    <details class="card all">
      <summary><h3>All measures</h3></summary>
      <Scroll name="All measures">
        <table class="figures">
          <thead>
            <tr>
              <th>Measure</th>
              <th>Rate</th>
              {averages.map((a) => (
                <th key={a}>{words[a] ?? title(a)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.map((line, i) => (
              <tr key={i} class={i > 0 && all[i - 1].measure === line.measure ? "" : "group"}>
                <th>{i > 0 && all[i - 1].measure === line.measure ? <span class="hidden">{payload.measures[line.measure]?.short}</span> : payload.measures[line.measure]?.short}</th>
                <td class="left">{title(line.rate)}</td>
                {averages.map((a, j) => (
                  <td key={a}><Cell row={line.cells[j]} /></td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  );
}

/** Without the averages whose every value a later one has, too: of queries that count alike, micro and mean are one. */
export function distinct({ averages, lines: all }: ReturnType<typeof lines>): ReturnType<typeof lines> {
  const same = (a: number, b: number) => all.every((line) => line.cells[a]?.[4] === line.cells[b]?.[4]);
  const kept = averages.map((_, i) => i).filter((i) => !averages.some((_, j) => j > i && same(i, j)));
  return { averages: kept.map((i) => averages[i]), lines: all.map((line) => ({ ...line, cells: kept.map((i) => line.cells[i]) })) };
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
