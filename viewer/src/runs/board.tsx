import { brief, count, NONE, rate, title } from "../frame/format";
import { Scroll } from "../frame/scroll";
import { Interval } from "../frame/interval";
import type { Run } from "./types";
import { type Column, columns, golds, keyOf, ranked } from "./ranking";

interface Props {
  runs: Run[];
  gold: string; // the beginning of what gold is
  sort: string;
  go: (change: { board?: string | null; sort?: string }) => void;
}

/** All runs of one gold, by the figure that is chosen. */
export function Board({ runs, gold, sort, go }: Props) {
  const own = golds(runs).find((one) => one.key === gold);
  if (!own) return <p class="note">No run of this gold is left.</p>;
  const all = columns(own.runs);
  const lead = all.find((one) => one.key === sort) ?? all[0];
  const lines = ranked(own.runs, lead);
  const usual = lines[0]?.run.alike;
  const mixed = lines.some((line) => line.run.alike !== usual);
  return (
    <>
      <Scroll name="Leaderboard">
        <table class="board" data-testid="board">
          <thead>
            <tr>
              <th scope="col" class="num">Rank</th>
              <th scope="col">Run</th>
              <th scope="col" class="line"><span class="hidden">Interval</span></th>
              {all.map((one) => <Head key={one.key} column={one} on={one === lead} sort={() => go({ sort: one.key })} />)}
              <th scope="col" class="num">Documents</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ run, rank }) => {
              const figure = lead && run.figures.find((one) => keyOf(one) === lead.key);
              return (
                <tr key={run.id} data-testid="standing">
                  <td class="num">{rank ?? NONE}</td>
                  <th scope="row">
                    {run.opens ? <a href={`runs/${run.id}/`}><bdi>{run.name}</bdi></a> : <bdi>{run.name}</bdi>}
                    {run.alike !== usual && <small title={run.line}>other settings or documents</small>}
                    {run.note && <small><bdi>{run.note}</bdi></small>}
                  </th>
                  <td class="line">{figure && <Interval value={figure.value} low={figure.low} high={figure.high} />}</td>
                  {all.map((one) => {
                    const found = run.figures.find((own_) => keyOf(own_) === one.key);
                    return <td key={one.key} class={`num ${one === lead ? "lead" : ""}`}>{found ? rate(found.value) : NONE}</td>;
                  })}
                  <td class="num">{count(run.documents)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      {mixed && <p class="note">Runs with other settings or documents than the first are marked: their figures are not to be compared with its.</p>}
    </>
  );
}

function Head({ column, on, sort }: { column: Column; on: boolean; sort: () => void }) {
  const down = column.better !== "lower";
  return (
    <th scope="col" class="num" aria-sort={on ? (down ? "descending" : "ascending") : undefined}>
      <button class="link sort" onClick={sort} title={`${column.measure}: sort by it, the best first`}>
        {`${title(column.rate)}${column.better === "lower" ? " ↓" : ""}`}{on && <span aria-hidden="true"> ▾</span>}
        <small>{`${column.average === "document" ? "mean" : column.average} · ${brief(column.measure)}`}</small>
      </button>
    </th>
  );
}
