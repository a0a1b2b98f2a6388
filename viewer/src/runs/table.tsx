import { count, NONE, rate, title } from "../frame/format";
import { Interval } from "../frame/interval";
import type { Run } from "./types";
import { hindrance, when } from "./words";

const AVERAGES: Record<string, string> = { document: "mean" };

interface Props {
  runs: Run[];
  pick: string[];
  setPick: (pick: string[]) => void;
  compare: () => void;
  drop: (run: Run) => void;
  most: number;
}

/** The runs so far, newest first; two or more of them can be compared. */
export function Runs({ runs, pick, setPick, compare, drop, most }: Props) {
  const picked = pick.flatMap((id) => runs.find((run) => run.id === id) ?? []);
  const why = hindrance(picked);
  return (
    <section class="runs" aria-label="Runs">
      <div class="head">
        <h2>Runs</h2>
        <span class="note" role="status" id="why">
          {picked.length ? why ?? `${picked.length} picked; the first one picked, ${picked[0].name}, is the baseline.` : runs.length > 1 ? "Pick two with the same gold to compare them." : ""}
        </span>
        {picked.length > 0 && <button class="link" onClick={() => setPick([])}>Unpick</button>}
        <button class="tool" data-testid="compare" disabled={why !== null} aria-describedby="why" onClick={compare}>
          Compare
        </button>
      </div>
      {runs.length ? (
        <div class="scroll wide" tabIndex={0} role="region" aria-label="Table of runs">
          <table>
            <thead>
              <tr>
                <td></td>
                <th scope="col">Run</th>
                <th scope="col">Figure</th>
                <th scope="col" class="line"><span class="hidden">Interval</span></th>
                <th scope="col" class="num many">Documents</th>
                <th scope="col" class="num when">When</th>
                <td></td>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => <Line key={run.id} run={run} pick={pick} setPick={setPick} drop={drop} />)}
            </tbody>
          </table>
        </div>
      ) : (
        <div class="empty">
          <p>No runs yet.</p>
          <p class="note">Drop gold and predictions onto this page and press Score.</p>
        </div>
      )}
      <p class="note">{`Up to ${most} runs are kept, and only until the server stops: save what you want to keep.`}</p>
    </section>
  );
}

function Line({ run, pick, setPick, drop }: { run: Run; pick: string[]; setPick: (pick: string[]) => void; drop: (run: Run) => void }) {
  const on = pick.includes(run.id);
  const figure = run.figure;
  return (
    <tr data-testid="run" data-id={run.id} class={on ? "on" : ""}>
      <td>
        <input
          type="checkbox"
          aria-label={`Pick ${run.name}`}
          checked={on}
          disabled={run.alike === null}
          onChange={() => setPick(on ? pick.filter((id) => id !== run.id) : [...pick, run.id])}
        />
      </td>
      <th scope="row">
        {run.opens ? <a href={`runs/${run.id}/`}><bdi>{run.name}</bdi></a> : <bdi>{run.name}</bdi>}
        <small>
          {run.family}
          {run.inputs.length > 0 && <> · gold <bdi title={run.inputs.join(" · ")}>{run.inputs[0].split("/").pop()}</bdi></>}
          {!run.opens && " · result file, to compare"}
        </small>
      </th>
      <td class="head">
        {figure ? <><b data-testid="figure">{rate(figure.value)}</b> {`${title(figure.rate)} ${AVERAGES[figure.average] ?? figure.average}`}<small title={figure.measure}>{figure.measure}</small></> : NONE}
      </td>
      <td class="line">{figure && <Interval value={figure.value} low={figure.low} high={figure.high} />}</td>
      <td class="many">{count(run.documents)}</td>
      <td class="when">{when(run.when)}</td>
      <td class="acts">
        {run.opens && <a class="tool" href={`runs/${run.id}/report.html`} download title="One file, to keep or to send">Save<span class="hidden">{` the report of ${run.name}`}</span></a>}
        <button class="tool" onClick={() => drop(run)} aria-label={`Delete ${run.name}`}>×</button>
      </td>
    </tr>
  );
}
