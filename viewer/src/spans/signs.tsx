import { sign } from "./kinds";

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
