import { count, plural } from "../frame/format";
import { copy } from "../frame/said";
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
        <div class="scroll wide" tabIndex={0} role="region" aria-label="Files">
          <table>
            <thead>
              <tr>
                <th scope="col">Side</th>
                <th scope="col">File</th>
                <th scope="col" class="num">Documents</th>
                <th scope="col" class="num">Spans</th>
                <th scope="col">SHA-256</th>
              </tr>
            </thead>
            <tbody>
              <File side="gold" path={p.gold.path} documents={p.documents} spans={p.gold.spans} sha={p.gold.sha256 ?? "–"} />
              {p.runs.flatMap((run, i) =>
                run.files.map((file, j) => (
                  <File key={`${i}.${j}`} side={i ? run.short : `${run.short} (baseline)`} path={file.path} documents={file.documents} spans={file.spans} sha={file.sha256 ?? (file.read ? "–" : "a result file")} />
                )),
              )}
            </tbody>
          </table>
        </div>
        <p>{`${plural(p.documents, "document")} scored in every run. ${TEXTS[p.text] ?? p.text}`}</p>
      </section>
      <section class="card">
        <h3>How sure</h3>
        <p>{how(p)}</p>
        <p>Better and worse: the adjusted p is below 0.05, and the figure is nearer to its best value or farther. “Shows” is the smallest true difference that so many documents would show four times in five, in one test without adjustment.</p>
        {p.documents < p.few && <p>{`Fewer than ${p.few} documents: intervals and p say little.`}</p>}
      </section>
      <section class="card">
        <h3>Signatures</h3>
        <p>Of the comparison, and of the figures of the first run.</p>
        {p.signatures.map((text) => (
          <p key={text} class="signed">
            <code>{text}</code>
            <button class="tool" onClick={() => copy(text, "Copied")}>Copy</button>
          </p>
        ))}
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
            <div key={key}>
              <dt><bdi>{key}</bdi></dt>
              <dd><bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi></dd>
            </div>
          ))}
        </dl>
      </section>
      <p class="about">Made by Spanscope, MIT licence. This page holds Preact, MIT licence. It asks nothing of the network.</p>
    </div>
  );
}

interface FileProps {
  side: string;
  path: string | null;
  documents: number;
  spans: number | null;
  sha: string;
}

function File({ side, path, documents, spans, sha }: FileProps) {
  return (
    <tr>
      <th scope="row"><bdi>{side}</bdi></th>
      <td class="left"><bdi>{path ?? "–"}</bdi></td>
      <td>{count(documents)}</td>
      <td>{spans === null ? "–" : count(spans)}</td>
      <td class="left"><code>{sha}</code></td>
    </tr>
  );
}

/** How intervals and p-values were made. */
export function how({ ci, trials, exact, runs }: Payload): string {
  const level = Number((ci.level * 100).toFixed(2));
  const swaps = exact ? `all ${count(trials)} patterns of swaps, so p is exact` : `${plural(trials, "trial")}, seed ${ci.seed}`;
  const over = runs.length > 2 ? "the runs, and for labels over runs and labels" : "the labels, where it is a label’s";
  return `Intervals (${level} %): ${ci.method}, ${plural(ci.resamples, "resample")} of the documents, seed ${ci.seed}, the same for both runs. p: paired randomisation over documents, ${swaps}; adjusted by Holm’s method over ${over}.`;
}
