import { plural, rate, title } from "./format";
import { Figure } from "./frame";
import { Interval } from "./interval";
import type { Report, Row } from "./types";

/** The headline measure's micro rates and macro F1, then the F1 of the other measures; else its first rates. */
export function chosen(p: Report): { name: string; under: string; row: Row }[] {
  const row = (m: number, r: string, a: string) => p.rows.find((x) => x[0] === m && x[1] === r && x[2] === a && x[3] === null);
  const out: { name: string; under: string; row: Row }[] = [];
  const add = (name: string, under: string, found: Row | undefined) => found && out.push({ name, under, row: found });
  const whole = row(p.headline, "f1", "micro");
  if (whole) {
    add("F1", "micro", whole);
    add("Precision", "micro", row(p.headline, "precision", "micro"));
    add("Recall", "micro", row(p.headline, "recall", "micro"));
    add("F1", "macro", row(p.headline, "f1", "macro"));
    p.measures.forEach((m, i) => i !== p.headline && out.length < 6 && add("F1", m.short, row(i, "f1", "micro")));
    return out;
  }
  for (const found of overall(p).slice(0, 6)) add(title(found[1]), found[2], found);
  return out;
}

/** Overall figures of the headline measure: its first average, one for each rate. */
function overall(p: Report): Row[] {
  const rows = p.rows.filter((row) => row[0] === p.headline && row[3] === null);
  return rows.filter((row) => row[2] === rows[0][2]);
}

/** Up to four of them, for the header. */
export function Scores({ payload }: { payload: Report }) {
  return (
    <dl class="scores">
      {overall(payload).slice(0, 4).map((row) => (
        <Figure key={row[1]} name={title(row[1])} value={rate(row[4])} id={row[1]} />
      ))}
    </dl>
  );
}

export function Cards({ payload }: { payload: Report }) {
  return (
    <>
      <ul class="cards">
        {chosen(payload).map(({ name, under, row }, i) => (
          <li key={i} class="card">
            <div class="what">
              {name} <span title={under}>{under}</span>
            </div>
            <div class="value">{rate(row[4])}</div>
            <Interval value={row[4]} low={row[5]} high={row[6]} />
            {row[5] !== null && row[6] !== null && <div class="bounds">{`${rate(row[5])} to ${rate(row[6])}`}</div>}
          </li>
        ))}
      </ul>
      <p class="about">{`${payload.measures[payload.headline]?.short ?? ""} · ${plural(payload.documents, "document")} scored`}</p>
    </>
  );
}
