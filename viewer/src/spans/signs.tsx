import { count, plural } from "../frame/format";
import { sign } from "./kinds";
import type { RawCorpus } from "./types";

/** Said where documents were left out of the file. */
export const Capped = ({ raw }: { raw: RawCorpus | null }) =>
  raw && raw.embedded < raw.total ? (
    <p class="note">{`${count(raw.embedded)} of ${plural(raw.total, "document")} are in this file; the scores are over all.`}</p>
  ) : null;

/** The heads of a plain table; what is false is left out. */
export const Heads = ({ of }: { of: (string | false)[] }) => (
  <thead>
    <tr>{of.map((name) => name && <th key={name} scope="col">{name}</th>)}</tr>
  </thead>
);

/** The signs of the kinds, for the help. */
export function Signs({ kinds }: { kinds: string[] }) {
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
            <dd>{sign(kind).says}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
