import { useState } from "preact/hooks";
import { intervals } from "../frame/about";
import { count, plural, rate } from "../frame/format";
import { Interval } from "../frame/interval";
import { Scroll } from "../frame/scroll";
import type { Model, View } from "./model";
import { Capped, Heads, Lines } from "./signs";
import { listed } from "./step";
import type { Leak, Leaked, LeakCounts } from "./types";
import { CLEAR } from "./url";

/** What a masking tool lets through: leaked characters by label, and every span that stays readable, hidden until asked for. */
export function Leaks({ model, view }: { model: Model; view: View }) {
  const leaks = model.payload.leaks;
  const [shown, show] = useState(false);
  const [q, setQ] = useState("");
  if (!leaks) return null;
  const held = [...leaks.lines, ...leaks.over_wide].some((line) => line.text !== null);
  const [, , , , , over, redacted] = leaks.whole;
  const word = q.toLowerCase();
  const has = (text: string | null) => (text ?? "").toLowerCase().includes(word);
  const wanted = (line: Leak) => !word || has(line.label) || has(line.kind) || has(line.document) || (shown && (has(line.text) || has(line.left)));
  return (
    <div class="leaks">
      <h2>Leaks</h2>
      <p>
        {leaking(leaks)}{" "}
        What counts is what predictions of any type cover together.
      </p>
      <ByLabel model={model} leaks={leaks} />
      <Capped raw={model.payload.corpus} />
      <div class="filters">
        <label for="leak">Filter</label>
        <input id="leak" type="search" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
        {held && (
          <label class="check">
            <input type="checkbox" checked={shown} onChange={(e) => show(e.currentTarget.checked)} /> Show the texts
          </label>
        )}
        <span role="status">{plural(leaks.lines.filter(wanted).length, "leak")}</span>
      </div>
      <Leaking model={model} view={view} lines={leaks.lines.filter(wanted)} left="Still readable" side="gold" held={held} shown={shown} />
      <h3>Over-wide redaction</h3>
      <p>{`No leak: ${plural(over, "character")} of ${count(redacted)} that are redacted are no PII. These predictions cover PII and more than that.`}</p>
      <Leaking model={model} view={view} lines={leaks.over_wide.filter(wanted)} left="Beyond PII" side="pred" held={held} shown={shown} />
    </div>
  );
}

/** How much stays readable. */
export function leaking({ whole: [leaked, characters, uncovered, partly, gold] }: Leaked): string {
  return `${plural(leaked, "character")} of ${count(characters)} stay readable: ${count(uncovered)} of ${plural(gold, "gold span")} are not covered at all, ${count(partly)} in part.`;
}

/** Leaked characters and spans of every label, with the interval of their share. */
function ByLabel({ model, leaks }: { model: Model; leaks: Leaked }) {
  const rows = model.payload.rows.filter((row) => row[0] === leaks.measure && row[1] === "leaked");
  const share = (label: string | null) => rows.find((row) => row[3] === label && (label !== null || row[2] === "micro"));
  const lines: [string | null, LeakCounts][] = leaks.counts.map(([label, ...counts]) => [label, counts]);
  lines.sort((a, b) => b[1][0] - a[1][0] || b[1][4] - a[1][4]);
  return (
    <Scroll name="Leaks by label">
      <table class="card">
        <caption>{`Each character once; by label, once for each label of gold it is in. ${intervals(model.payload)}`}</caption>
        <Heads of={["Label", "Leaked characters", "of", "Share", "Share, 0 to 1", "Uncovered spans", "Partly covered", "of spans"]} />
        <tbody>
          {([[null, leaks.whole], ...lines] as [string | null, LeakCounts][]).filter(([label, counts]) => label === null || counts[4]).map(([label, [leaked, characters, uncovered, partly, gold]]) => {
            const row = share(label);
            return (
              <tr key={label}>
                <th>{label === null ? "any label" : <bdi>{label}</bdi>}</th>
                <td>{count(leaked)}</td>
                <td>{count(characters)}</td>
                <td>{rate(row?.[4] ?? null)}</td>
                <td class="wideonly">{row && <Interval value={row[4]} low={row[5]} high={row[6]} />}</td>
                <td>{count(uncovered)}</td>
                <td>{count(partly)}</td>
                <td>{count(gold)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

interface Listing {
  model: Model;
  view: View;
  lines: Leak[];
  left: string;
  side: "gold" | "pred";
  held: boolean;
  shown: boolean;
}

/** Every line opens its document, with the span chosen. */
function Leaking({ model, view, lines, left, side, held, shown }: Listing) {
  const { corpus, names } = model;
  const open = (line: Leak) => {
    if (!corpus || !view.verdicts || line.span < 0) return;
    const id = side === "gold" ? line.span : listed(view.verdicts, corpus.gold.doc.length + line.span);
    view.go({ ...CLEAR, page: "errors", kinds: names.kinds.map((_, kind) => kind), doc: corpus[side].doc[line.span], sel: id });
  };
  const hide = (text: string | null) => (text === null ? "–" : shown ? text : "•".repeat(Math.min(24, text.length)));
  const texts = (line: Leak) => (held ? [hide(line.text), hide(line.left)] : []);
  return (
    <Lines
      lines={lines}
      heads={["Label", "Kind", ...(held ? ["Text", left] : []), "Characters", "Times"]}
      num={["Characters", "Times"]}
      cells={(line) => [line.label, line.kind, ...texts(line), line.characters, line.number]}
      open={open}
      id={`leak-${side}`}
      name={side === "gold" ? "Every leak" : "Over-wide redaction"}
    />
  );
}
