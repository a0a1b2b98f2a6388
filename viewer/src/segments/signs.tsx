import { SIGNS } from "./corpus";
import type { Model } from "./model";

const SAYS = [
  "paired with a gold boundary at the same place",
  "paired with a gold boundary within the window",
  "a boundary without a gold one to be paired with",
  "a gold boundary without one of the method",
];

/** The signs of the kinds, for the help. */
export function Signs({ model }: { model: Model }) {
  return (
    <>
      <h3>Signs</h3>
      <dl class="keys">
        {model.corpus.kinds.map((kind, i) => (
          <div key={kind}>
            <dt>
              <span class="glyph">{SIGNS[i]}</span> {kind}
            </dt>
            <dd>{SAYS[i]}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
