import { brief, plural, rate, title } from "./format";
import { Figure, Figures } from "./frame";
import { Interval } from "./interval";
import { undefinedLabels } from "./tables";
import type { Report, Row } from "./types";

const AVERAGES: Record<string, string> = { document: "mean" };

/** A figure as a card shows it. */
export interface Shown {
  name: string;
  under: string;
  row: Row;
  id?: string | undefined; // of the headline's own rates, for tests
}

/** The figure that leads, then the other rates of its measure and their macro average, then what leads other measures. */
export function chosen(p: Report): Shown[] {
  const row = (m: number, r: string, a: string) => p.rows.find((x) => x[0] === m && x[1] === r && x[2] === a && x[3] === null);
  const out: Shown[] = [];
  const add = (name: string, under: string, found: Row | undefined, id?: string) => found && out.length < 6 && out.push({ name: title(name), under, row: found, id });
  for (const found of overall(p)) add(found[1], AVERAGES[found[2]] ?? found[2], found, found[1]);
  const lead = p.measures[p.headline]?.lead;
  if (lead) {
    const macro = row(p.headline, lead.rate, "macro");
    add(lead.rate, macro?.[8] ? `macro, ${undefinedLabels(macro[8])}` : "macro", macro);
  }
  p.measures.forEach((m, i) => i !== p.headline && add(m.lead.rate, brief(m.short) === m.lead.rate ? "" : brief(m.short), row(i, m.lead.rate, m.lead.average)));
  return out;
}

/** Overall figures of the headline's measure in the average of the headline, which comes first. */
function overall(p: Report): Row[] {
  const lead = p.measures[p.headline]?.lead;
  const rows = p.rows.filter((row) => row[0] === p.headline && row[3] === null && row[2] === lead?.average);
  return [...rows.filter((row) => row[1] === lead?.rate), ...rows.filter((row) => row[1] !== lead?.rate)];
}

/** Which figure leads, in words, and over what. */
export function leading(p: Report, noun = "document", nouns = `${noun}s`): string {
  const measure = p.measures[p.headline];
  const scored = `${plural(p.documents, noun, nouns)} scored`;
  if (!measure) return `${scored}.`;
  const { rate: name, average } = measure.lead;
  return `Primary figure: ${title(name)} of ${measure.short}, ${average === "document" ? `mean over ${nouns}` : average} · ${scored}.`;
}

/** Up to four of them, for the header. */
export function Scores({ payload }: { payload: Report }) {
  return (
    <Figures>
      {overall(payload).slice(0, 4).map((row) => (
        <Figure key={row[1]} name={title(row[1])} value={rate(row[4])} id={row[1]} />
      ))}
    </Figures>
  );
}

export function Cards({ all }: { all: Shown[] }) {
  return all.length ? <ul class="cards">{all.map((one, i) => <li key={i} class="card"><Card {...one} /></li>)}</ul> : null;
}

export function Card({ name, under, row, id, level = "" }: Shown & { level?: string }) {
  return (
    <div class="one">
      <div class="what">
        {name} <span title={under}>{under}</span>
      </div>
      <div class="value" data-testid={id}>{rate(row[4])}</div>
      <Interval value={row[4]} low={row[5]} high={row[6]} />
      {row[5] !== null && row[6] !== null && <div class="bounds">{`${level}${rate(row[5])} to ${rate(row[6])}`}</div>}
    </div>
  );
}
