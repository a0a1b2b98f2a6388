import type { ComponentChildren } from "preact";
import { Card, type Shown } from "./cards";
import { count, plural } from "./format";
import type { Framed, Input } from "./types";

export interface Told extends Framed {
  inputs?: Input[];
  documents: number;
  ci?: { level: number } | null;
  sure?: string; // how far intervals can be trusted
  problems: { kind: string; number: number; first?: string[] }[];
}

interface Props {
  payload: Told;
  leads: Shown[]; // what the verdict is about
  files?: (string | null)[]; // else those of the inputs
  children: ComponentChildren; // what the figures mean, in sentences
}

/** The verdict, in figures and in words: what leads, with its interval, what is wrong most, and where all of it is from. */
export function Verdict({ payload: p, leads, files, children }: Props) {
  const level = p.ci ? `${Number((p.ci.level * 100).toFixed(2))} % interval ` : "";
  const read = files ?? p.inputs?.map((one) => one.path) ?? [];
  const names = [...new Set(read.filter((path) => path !== null))];
  return (
    <section class="card verdict" aria-label="Verdict">
      {leads.length > 0 && <div class="leads">{leads.map((one) => <Card key={one.id} {...one} level={level} />)}</div>}
      <div class="tale">
        {children}
        <Problems problems={p.problems} />
        {p.sure && <p class="honest" data-testid="sure">{p.sure}</p>}
        <dl class="facts">
          {names.length > 0 && (
            <div>
              <dt>Files</dt>
              <dd><bdi>{names.join(", ")}</bdi></dd>
            </div>
          )}
          {p.command && (
            <div>
              <dt>Command</dt>
              <dd><code>{p.command}</code></dd>
            </div>
          )}
          {p.date && (
            <div>
              <dt>Made</dt>
              <dd>{`${p.date}, Spanscope ${p.spanscope}`}</dd>
            </div>
          )}
        </dl>
      </div>
    </section>
  );
}

const WITHHELD = "withheld"; // stands for a case that may not be shown

/** How many problems there are; one that there is once is told, others are named. */
function Problems({ problems }: { problems: Told["problems"] }) {
  if (!problems.length) return <p>No problems were found in the data.</p>;
  const all = problems.reduce((sum, one) => sum + one.number, 0);
  const told = ({ number, kind, first }: Told["problems"][number]) => (number === 1 && first?.[0] && first[0] !== WITHHELD ? first[0] : `${count(number)} × ${kind}`);
  return (
    <p>
      {`${plural(all, "problem")} in the data: ${problems.map(told).join(", ")}; `}
      <a href="#/about">the cases</a>.
    </p>
  );
}
