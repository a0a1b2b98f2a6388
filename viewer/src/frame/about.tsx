import { count, NONE, nounsOf, plural, title } from "./format";
import { copy } from "./said";
import type { Input, Report } from "./types";
import { Scroll } from "./scroll";

const TEXTS = {
  full: "texts are in this file",
  context: "only text near the findings is in this file; the rest is replaced by dots",
  masked: "texts are masked",
  none: "texts are not in this file",
};

export function About({ payload: p }: { payload: Report }) {
  const [noun, nouns] = nounsOf(p.family);
  return (
    <div class="aboutpage">
      <h2>About this report</h2>
      <section class="card">
        <h3>Inputs</h3>
        <Files inputs={p.inputs} nouns={nouns} />
        <p>{`${plural(p.documents, noun, nouns)} scored; ${TEXTS[p.text] ?? p.text}. ${intervals(p, nouns)} ${p.sure}`}</p>
      </section>
      <section class="card">
        <h3>Signatures</h3>
        <p>Put one beside every figure you report: it names all that the figure depends on.</p>
        <Signed lines={p.signatures} />
      </section>
      {p.problems.length > 0 && (
        <section class="card">
          <h3>Data problems</h3>
          {p.problems.map((problem) => (
            <div key={problem.kind}>
              <h4>{`${count(problem.number)} × ${problem.kind}`}</h4>
              <ul>{problem.first.map((line, i) => <li key={i}><bdi>{line}</bdi></li>)}</ul>
            </div>
          ))}
        </section>
      )}
      <section class="card">
        <h3>Settings</h3>
        <dl class="pairs">
          {Object.entries(p.meta).map(([key, value]) => <Pair key={`m${key}`} name={key} value={value} />)}
          {Object.entries(p.settings).map(([key, value]) => <Pair key={key} name={key} value={value} />)}
          <Pair name="spanscope" value={p.spanscope} />
        </dl>
      </section>
      <p class="about">Made by Spanscope, MIT licence. This page holds Preact, MIT licence. It asks nothing of the network.</p>
    </div>
  );
}

/** What was read, a line each. */
export function Files({ inputs, nouns }: { inputs: Input[]; nouns: string }) {
  return (
    <Scroll name="Inputs">
      <table>
        <thead>
          <tr>
            <th>Side</th>
            <th>File</th>
            <th class="num">{title(nouns)}</th>
            <th class="num">Spans</th>
            <th>SHA-256</th>
          </tr>
        </thead>
        <tbody>
          {inputs.map((input, i) => (
            <tr key={i}>
              <th><bdi>{input.side}</bdi></th>
              <td class="left"><bdi>{input.path ?? NONE}</bdi></td>
              <td>{count(input.documents)}</td>
              <td>{input.spans === null ? NONE : count(input.spans)}</td>
              <td class="left"><code>{input.sha256 ?? NONE}</code></td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Lines to be copied. */
export function Signed({ lines }: { lines: string[] }) {
  return (
    <>
      {lines.map((text) => (
        <p key={text} class="signed">
          <button class="tool" onClick={() => copy(text, "Copied")}>Copy</button>
          <code>{text}</code>
        </p>
      ))}
    </>
  );
}

/** How the intervals were made. */
export function intervals({ ci, settings }: Report, nouns = "documents"): string {
  if (!ci) return "No intervals.";
  const level = Number((ci.level * 100).toFixed(2));
  return `${level} % intervals: ${ci.method}, ${plural(ci.resamples, "resample")} of the ${settings.group ? `groups of ${nouns}` : nouns}, seed ${ci.seed}.`;
}

export function Pair({ name, value }: { name: string; value: unknown }) {
  return (
    <div>
      <dt><bdi>{name}</bdi></dt>
      <dd>{worded(value).map((line, i) => <div key={i}><bdi>{line}</bdi></div>)}</dd>
    </div>
  );
}

/** A setting as people read it: a dash for nothing, a line for each of several. */
function worded(value: unknown): string[] {
  if (value === null || (typeof value === "object" && !Object.keys(value).length)) return [NONE];
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value;
  if (typeof value !== "object" || Array.isArray(value)) return [typeof value === "string" ? value : JSON.stringify(value)];
  return Object.entries(value).map(([key, one]) => `${key}: ${worded(one).join(", ")}`);
}
