import { Files, Pair, Signed } from "../frame/about";
import { count, nounsOf, plural } from "../frame/format";
import type { Input } from "../frame/types";
import type { Payload } from "./types";

const TEXTS = {
  full: "Texts are in this file.",
  context: "Only text near what is wrong in a run is in this file; the rest is replaced by dots.",
  masked: "Texts are masked.",
  none: "Texts are not in this file.",
};

export function About({ payload: p }: { payload: Payload }) {
  return (
    <div class="aboutpage">
      <h2>About this comparison</h2>
      <section class="card">
        <h3>Files</h3>
        <Files inputs={inputs(p)} nouns={nounsOf(p.family)[1]} />
        <p>{`${plural(p.documents, ...nounsOf(p.family))} scored in every run. ${TEXTS[p.text] ?? p.text}`}</p>
      </section>
      <section class="card">
        <h3>How sure</h3>
        <p>{how(p)}</p>
        <p>Better and worse: the adjusted p is below 0.05, and the figure is nearer to its best value or farther. “Detectable” is the smallest true difference that so many of them would show four times in five, in one test without adjustment.</p>
        {p.sure && <p>{p.sure}</p>}
        {!p.sure && p.documents < p.few && <p>{`Fewer than ${p.few} ${nounsOf(p.family)[1]}: intervals and p say little.`}</p>}
      </section>
      <section class="card">
        <h3>Signatures</h3>
        <p>Of the comparison, and of the figures of the first run.</p>
        <Signed lines={p.signatures} />
      </section>
      {p.problems.length > 0 && (
        <section class="card">
          <h3>Data problems</h3>
          <ul>
            {p.problems.map(({ run, kind, number }) => (
              <li key={`${run} ${kind}`}><bdi>{run}</bdi>{`: ${count(number)} × ${kind}`}</li>
            ))}
          </ul>
        </section>
      )}
      <section class="card">
        <h3>Settings</h3>
        <dl class="pairs">
          {Object.entries({ ...p.meta, ...p.settings, spanscope: p.spanscope }).map(([key, value]) => (
            <Pair key={key} name={key} value={value} />
          ))}
        </dl>
      </section>
      <p class="about">Made by Spanscope, MIT licence. This page holds Preact, MIT licence. It asks nothing of the network.</p>
    </div>
  );
}

/** Gold and every file of every run. */
function inputs(p: Payload): Input[] {
  const gold = { side: "gold", documents: p.documents, ...p.gold };
  const files = p.runs.flatMap((run, i) =>
    run.files.map((file) => ({
      ...file,
      side: i ? run.short : `${run.short} (baseline)`,
      sha256: file.sha256 ?? (file.read ? null : "a result file"),
    })),
  );
  return [gold, ...files];
}

/** How intervals and p-values were made. */
export function how({ ci, trials, exact, runs, family, sure }: Payload): string {
  const drawn = sure ? `groups of ${nounsOf(family)[1]}` : nounsOf(family)[1];
  const level = Number((ci.level * 100).toFixed(2));
  const swaps = exact ? `all ${count(trials)} patterns of swaps, so p is exact` : `${plural(trials, "trial")}, seed ${ci.seed}`;
  const over = runs.length > 2 ? "the runs, and for labels over runs and labels" : "the labels, where it is a label’s";
  const several = runs.some((run) => run.files.length > 1) ? " Where a system has several files, intervals and p are by Student’s t, for documents and files." : "";
  return `Intervals (${level} %): ${ci.method}, ${plural(ci.resamples, "resample")} of the ${drawn}, seed ${ci.seed}, the same for both runs. ${trials ? `p: paired randomisation over them, ${swaps}; adjusted` : "p is adjusted"} by Holm’s method over ${over}.${several}`;
}
