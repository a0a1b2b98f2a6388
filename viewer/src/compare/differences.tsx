import { count, nounsOf, plural, rate, seek, title } from "../frame/format";
import type { Model, View } from "./model";
import { sides } from "./model";
import { Says } from "./head";
import { Slices } from "./slices";
import { differs, honest, linesOf, type Line } from "./rows";
import { Differences as Table } from "./table";
import { Scroll } from "../frame/scroll";

const MOST = 200; // labels shown at once: the page stays small for thousands of them

/** Every difference between the first run and the one beside it. */
export function Differences({ model, view }: { model: Model; view: View }) {
  const { payload: p } = model;
  const { place, go } = view;
  const every = linesOf(p, place.run, false);
  const overall = every.filter((line) => place.every || p.measures[line.measure].usual.includes(line.average));
  const shown = place.all ? overall : overall.filter(differs);
  const more = overall.length < every.length || place.every;
  return (
    <div class="overview">
      <h2 class="hidden">Differences</h2>
      <Says model={model} view={view} />
      <div class="filters">
        {p.runs.length > 2 && <Runs model={model} view={view} />}
        <button class="tool" data-testid="only" aria-pressed={!place.all} onClick={() => go({ all: !place.all })}>
          Differences only <kbd>x</kbd>
        </button>
        {more && (
          <label class="check">
            <input type="checkbox" checked={place.every} onChange={(e) => go({ every: e.currentTarget.checked })} /> All averages
          </label>
        )}
      </div>
      <section class="card" data-testid="overall">
        <h3>Overall</h3>
        {shown.length ? (
          <Table model={model} view={view} lines={shown} all={overall} label="Overall differences" caption={caption(model)} />
        ) : (
          <Same model={model} view={view} number={overall.length} />
        )}
        {shown.length > 0 && <p class="honest" data-testid="honest">{`${honest(overall)} ${told(overall, shown)}`}</p>}
        {!p.sure && p.documents < p.few && <p class="honest">{`${plural(p.documents, ...nounsOf(p.family))} only: intervals and p say little.`}</p>}
      </section>
      <Labels model={model} view={view} />
      <Slices model={model} view={view} />
      <Spreads model={model} />
    </div>
  );
}

function caption({ payload: { ci, trials, exact, family, sure } }: Model) {
  const drawn = sure ? `groups of ${nounsOf(family)[1]}` : nounsOf(family)[1];
  const level = Number((ci.level * 100).toFixed(2));
  const how = exact ? "all patterns of swaps" : plural(trials, "trial");
  const says = trials
    ? `Filled: the ${level} % interval (paired bootstrap over ${drawn}, ${plural(ci.resamples, "resample")}, seed ${ci.seed}) excludes 0. p: paired randomisation, ${how}, adjusted (Holm).`
    : `Filled: the ${level} % interval (Student’s t, for ${drawn} and files) excludes 0. p is by the same t, adjusted (Holm).`;
  return <>{says} <span class="way">▲ better</span>, <span class="way">▼ worse</span>: p below 0.05.</>;
}

const told = (all: Line[], shown: Line[]): string =>
  shown.length < all.length && shown.length ? `${plural(all.length - shown.length, "figure")} without any difference ${all.length - shown.length === 1 ? "is" : "are"} hidden.` : "";

/** Two runs that are the same to the last digit. */
function Same({ model, view, number }: { model: Model; view: View; number: number }) {
  const [first, second] = sides(model, view);
  return (
    <div class="empty" role="status" data-testid="same">
      <p>
        No differences: {number === 1 ? "the figure" : `all ${count(number)} figures`} of <bdi>{second}</bdi> equal those of <bdi>{first}</bdi>, Δ = 0.
      </p>
      <p>
        <button class="tool" onClick={() => view.go({ all: true })}>Show all figures</button>
      </p>
    </div>
  );
}

export function Runs({ model, view }: { model: Model; view: View }) {
  return (
    <>
      <label>
        {"Run "}
        <select id="run" value={String(view.place.run)} onChange={(e) => view.go({ run: Number(e.currentTarget.value) })}>
          {model.payload.runs.map((run, i) => i > 0 && <option key={i} value={String(i)}>{run.short}</option>)}
        </select>
      </label>
      <span class="note">against <bdi>{model.payload.runs[0].short}</bdi></span>
    </>
  );
}

/** The figures of labels: of one measure and rate at a time. */
function Labels({ model, view }: { model: Model; view: View }) {
  const { payload: p } = model;
  const { place, go } = view;
  const lines = linesOf(p, place.run, true);
  const key = (line: Line) => `${line.measure}.${line.rate}`;
  const choices = [...new Map(lines.map((line) => [key(line), line])).values()];
  if (!choices.length) return null;
  const usual = choices.find((line) => line.measure === 0 && line.rate === p.head.rate) ?? choices[0];
  const chosen = choices.find((line) => key(line) === place.figure) ?? usual;
  const own = lines.filter((line) => key(line) === key(chosen));
  const word = place.name.toLowerCase();
  const passed = own.filter((line) => (place.all || differs(line)) && (!word || (line.label ?? "").toLowerCase().includes(word)));
  const shown = passed.slice(0, MOST);
  return (
    <section class="card" data-testid="labels">
      <div class="filters">
        <h3>By label</h3>
        <label class="hidden" for="figure">Figure</label>
        <select id="figure" value={key(chosen)} onChange={(e) => go({ figure: e.currentTarget.value === key(usual) ? "" : e.currentTarget.value })}>
          {choices.map((line) => (
            <option key={key(line)} value={key(line)}>{`${title(line.rate)}, ${p.measures[line.measure].short}`}</option>
          ))}
        </select>
        <label for="name">Label</label>
        <input id="name" type="search" value={place.name} placeholder={seek("filter")} autocomplete="off" onInput={(e) => go({ name: e.currentTarget.value })} />
        <span class="hits" role="status">{`${count(passed.length)} of ${plural(own.length, "label")}`}</span>
      </div>
      {shown.length ? (
        <Table model={model} view={view} lines={shown} all={own} label="Differences by label" caption={shown.length < passed.length ? `The first ${MOST} of ${count(passed.length)}: filter for others` : ""} />
      ) : (
        <p class="note">{word ? "No such label here." : "No differences."}</p>
      )}
      {shown.length > 0 && <p class="honest">{`${honest(own)} p is adjusted over ${p.runs.length > 2 ? "runs and labels" : "the labels"}. ${told(own, passed)}`}</p>}
    </section>
  );
}

/** The several files of a system, such as those of several seeds. */
function Spreads({ model }: { model: Model }) {
  const { spreads, measures } = model.payload;
  const usual = new Map(measures.map((m) => [m.form, m]));
  const shown = spreads.filter((s) => s[3] === null && usual.get(s[0])?.usual.includes(s[2]));
  if (!shown.length) return null;
  return (
    <section class="card" data-testid="spreads">
      <h3>Several files of a system</h3>
      <p class="note">A system is worth the mean of its files. Std is the standard deviation of their figures; an error is the standard error of the mean, for the documents and for the files. The interval is for both, and so are intervals and p of differences.</p>
      <Scroll name="Several files of a system" class="">
        <table class="figures">
          <thead>
            <tr>
              {["Run", "Measure", "Figure", "Files", "Mean", "Interval", "Std", "Error: documents", "Error: files", "Lowest", "Highest"].map((name, i) => (
                <th key={name} scope="col" class={i > 2 ? "num" : "left"}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(([measure, name, average, , run, files, mean, lowest, highest, deviation, byDocuments, byFiles, low, high], i) => (
              <tr key={i} data-testid="spread" class="group">
                <th scope="row"><bdi>{run}</bdi></th>
                <td class="left">{usual.get(measure)?.short}</td>
                <td class="left">{`${title(name)} ${average}`}</td>
                <td>{files}</td>
                <td>{rate(mean)}</td>
                <td>{low === null || high === null ? "" : `${rate(low)} to ${rate(high)}`}</td>
                {[deviation, byDocuments, byFiles, lowest, highest].map((value, j) => <td key={j}>{rate(value)}</td>)}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

