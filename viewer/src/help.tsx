import { useEffect, useRef } from "preact/hooks";
import { sign } from "./kinds";
import type { Model } from "./model";

const KEYS: [keys: string, what: string, errors: boolean][] = [
  ["j k", "next and previous finding", true],
  ["J K", "next and previous document", true],
  ["1 … 8", "a kind on or off; with Shift only that kind", true],
  ["0", "correct spans on or off", true],
  ["/", "search", true],
  ["l", "choose a label", true],
  ["s", "one text or side by side", true],
  ["Esc", "clear the filters", true],
  ["[ ]", "threshold one step down, up", true],
  ["{ }", "threshold a tenth down, up", true],
  ["y", "copy a link to what is shown", false],
  ["e", "export", false],
  ["d", "dark or light", false],
  ["?", "this sheet", false],
];

export function Help({ model, on, set, close }: { model: Model; on: boolean; set: (on: boolean) => void; close: () => void }) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  const shut = () => box.current?.close(); // the browser then gives the focus back
  const pages = model.names.pages;
  const go: (typeof KEYS)[number] = [`g then ${pages.map((p) => p[0]).join(" ")}`, `go to ${pages.join(", ")}`, false];
  const shown = [...KEYS.filter(([, , errors]) => model.corpus || !errors), go];
  return (
    <dialog
      ref={box}
      class="help"
      aria-labelledby="help-title"
      onClose={close}
      onKeyDown={(event) => event.key === "?" && shut()}
      onClick={(event) => event.target === box.current && shut()}
    >
      <div class="sheet">
        <h2 id="help-title">Help</h2>
        <h3>Keys</h3>
        <dl class="keys">
          {shown.map(([keys, what]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} /> Single keys work
        </label>
        {model.corpus && <Signs kinds={model.payload.kinds} />}
        <button class="tool" onClick={shut}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}

function Signs({ kinds }: { kinds: string[] }) {
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
