import { useMemo, useState } from "preact/hooks";
import { count, NONE, plural, rate, title } from "../frame/format";
import { Interval } from "../frame/interval";
import type { Lists, Run } from "./types";
import { Board } from "./board";
import { golds } from "./ranking";
import { hindrance, when } from "./words";
import { Scroll } from "../frame/scroll";

const SHOWN = 3; // deleted runs that are named

const AVERAGES: Record<string, string> = { document: "mean" };

interface Props {
  runs: Run[];
  pick: string[];
  setPick: (pick: string[]) => void;
  compare: () => void;
  drop: (run: Run) => void;
  deleted: Lists["deleted"];
  change: (id: string, by: { name?: string; note?: string; deleted?: false }) => void;
  board: string | null;
  sort: string;
  go: (change: { board?: string | null; sort?: string }) => void;
  kept: string;
}

/** The runs so far, newest first; two or more of them can be compared. */
export function Runs({ runs, pick, setPick, compare, drop, deleted, change, board, sort, go, kept }: Props) {
  const picked = pick.flatMap((id) => runs.find((run) => run.id === id) ?? []);
  const why = hindrance(picked);
  const all = useMemo(() => golds(runs), [runs]);
  return (
    <section class="runs" aria-label="Runs">
      <div class="head">
        <h2>Runs</h2>
        {all.length > 0 && (
          <>
            <label class="hidden" for="board">What is shown</label>
            <select id="board" class="tool" data-testid="board-of" value={board ?? ""} onChange={(event) => go({ board: event.currentTarget.value || null, sort: "" })}>
              <option value="">all, newest first</option>
              {all.map((one) => <option key={one.key} value={one.key}>{`leaderboard of ${one.name} (${plural(one.runs.length, "run")})`}</option>)}
            </select>
          </>
        )}
        <span class="note" role="status" id="why">
          {picked.length ? why ?? `${picked.length} picked; the first one picked, ${picked[0].name}, is the baseline.` : runs.length > 1 && !board ? "Pick two with the same gold to compare them." : ""}
        </span>
        {picked.length > 0 && <button class="link" onClick={() => setPick([])}>Unpick</button>}
        <button class="tool" data-testid="compare" disabled={why !== null} aria-describedby="why" onClick={compare}>
          Compare
        </button>
      </div>
      {board ? <Board runs={runs} gold={board} sort={sort} go={go} /> : runs.length ? (
        <Scroll name="Table of runs">
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
              {runs.map((run) => <Line key={run.id} run={run} pick={pick} setPick={setPick} drop={drop} change={change} />)}
            </tbody>
          </table>
        </Scroll>
      ) : (
        <div class="empty">
          <p>No runs yet.</p>
          <p class="note">Drop gold and predictions onto this page and press Score.</p>
        </div>
      )}
      {deleted.length > 0 && (
        <ul class="deleted" aria-label="Deleted runs">
          {deleted.slice(0, SHOWN).map((one) => (
            <li key={one.id} data-testid="deleted">
              <span>Deleted <bdi>{one.name}</bdi></span> <button class="link" onClick={() => change(one.id, { deleted: false })}>Undo<span class="hidden">{` the deletion of ${one.name}`}</span></button>
            </li>
          ))}
          {deleted.length > SHOWN && <li class="note">{`and ${deleted.length - SHOWN} more; they can be had back for a day.`}</li>}
        </ul>
      )}
      <p class="note">{kept}</p>
    </section>
  );
}

function Line({ run, pick, setPick, drop, change }: { run: Run } & Pick<Props, "pick" | "setPick" | "drop" | "change">) {
  const [editing, edit] = useState(false);
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
        {run.opens ? <a href={`runs/${run.id}/`}><bdi>{run.name}</bdi></a> : <bdi title={run.closed ?? undefined}>{run.name}</bdi>}
        <small>
          {run.family}
          {run.inputs.length > 0 && <> · gold <bdi title={run.inputs.join(" · ")}>{run.inputs[0].split("/").pop()}</bdi></>}
          {run.closed ? " · closed here" : !run.opens && " · result file, to compare"}
        </small>
        {run.note && <small class="of-run" title={run.note}><bdi>{run.note}</bdi></small>}
        {editing && <Edit run={run} save={(by) => { change(run.id, by); edit(false); }} cancel={() => edit(false)} />}
      </th>
      <td class="head">
        {figure ? <><b data-testid="figure">{rate(figure.value)}</b> {`${title(figure.rate)} ${AVERAGES[figure.average] ?? figure.average}`}<small title={figure.measure}>{figure.measure}</small></> : NONE}
      </td>
      <td class="line">{figure && <Interval value={figure.value} low={figure.low} high={figure.high} />}</td>
      <td class="many">{count(run.documents)}</td>
      <td class="when">{when(run.when)}</td>
      <td class="acts">
        {run.opens && <a class="tool" href={`runs/${run.id}/report.html`} download title="One file, to keep or to send">Save<span class="hidden">{` the report of ${run.name}`}</span></a>}
        <button class="tool" data-testid="edit" aria-expanded={editing} onClick={() => edit(!editing)} aria-label={`Name and note of ${run.name}`}>✎</button>
        <button class="tool" onClick={() => drop(run)} aria-label={`Delete ${run.name}`}>×</button>
      </td>
    </tr>
  );
}

/** The name and the note of a run, to be changed. */
function Edit({ run, save, cancel }: { run: Run; save: (by: { name: string; note: string }) => void; cancel: () => void }) {
  const [name, setName] = useState(run.name);
  const [note, setNote] = useState(run.note);
  return (
    <form class="edit" aria-label={`Name and note of ${run.name}`} onSubmit={(event) => { event.preventDefault(); save({ name, note }); }} onKeyDown={(event) => event.key === "Escape" && cancel()}>
      <label>Name <input value={name} maxLength={120} required onInput={(event) => setName(event.currentTarget.value)} /></label>
      <label>Note <textarea rows={2} maxLength={2000} value={note} onInput={(event) => setNote(event.currentTarget.value)} /></label>
      <span><button class="tool" type="submit" data-testid="save">Save</button> <button class="tool" type="button" onClick={cancel}>Cancel</button></span>
    </form>
  );
}
