import type { ComponentChildren } from "preact";
import { count, plural } from "../frame/format";
import { Scroll } from "../frame/scroll";
import { sign } from "./kinds";
import type { RawCorpus } from "./types";

/** Said where documents were left out of the file. */
export const Capped = ({ raw }: { raw: RawCorpus | null }) =>
  raw && raw.embedded < raw.total ? (
    <p class="note">{`${count(raw.embedded)} of ${plural(raw.total, "document")} are in this file; the scores are over all.`}</p>
  ) : null;

/** The heads of a plain table; what is false is left out. */
export const Heads = ({ of, num = [] }: { of: (string | false)[]; num?: string[] }) => (
  <thead>
    <tr>{of.map((name) => name && <th key={name} class={num.includes(name) ? "num" : ""}>{name}</th>)}</tr>
  </thead>
);

const MOST = 500;

/** Lines of a plain table, each of which opens its document; texts to the left, numbers to the right. */
export function Lines<T extends { document: string }>({ lines, heads, num = [], cells, open, id, name }: { lines: T[]; heads: string[]; num?: string[]; cells: (line: T) => ComponentChildren[]; open: (line: T) => void; id: string; name: string }) {
  if (!lines.length) return <p>None.</p>;
  return (
    <>
      <Scroll name={name}>
        <table class="card lines">
          <Heads of={["Document", ...heads]} num={num} />
          <tbody>
            {lines.slice(0, MOST).map((line, i) => (
              <tr key={i} data-testid={id} onClick={() => open(line)}>
                <th><button title="Open the document"><bdi>{line.document}</bdi></button></th>
                {cells(line).map((cell, at) => (typeof cell === "number" ? <td key={at}>{count(cell)}</td> : <td key={at} class="left words"><bdi>{cell}</bdi></td>))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {lines.length > MOST && <p class="note">{`The first ${MOST} of ${count(lines.length)}.`}</p>}
    </>
  );
}

/** The signs of the kinds, for the help. */
export function Signs({ kinds, said }: { kinds: string[]; said: Record<string, string> }) {
  return (
    <>
      <h3>Signs</h3>
      <p>Gold stands above the text, the prediction below. The colour is the label, the pattern the kind.</p>
      <dl class="keys">
        {kinds.map((kind) => (
          <div key={kind}>
            <dt>
              <span class={`swatch ${sign(kind).fill}`} /> <span class="glyph">{sign(kind).glyph}</span> {kind}
            </dt>
            <dd>{said[kind]}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
