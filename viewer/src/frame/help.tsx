import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Sheet } from "./frame";

export type KeyLine = [keys: string, what: string];

const COMMON: KeyLine[] = [
  ["y", "copy a link to what is shown"],
  ["e", "export"],
  ["d", "dark or light"],
  ["?", "this sheet"],
];

interface Props {
  sheets: Sheet[];
  keys: KeyLine[];
  legend: ComponentChildren;
  on: boolean;
  set: (on: boolean) => void;
  close: () => void;
}

export function Help({ sheets, keys, legend, on, set, close }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  const shut = () => box.current?.close(); // the browser then gives the focus back
  const ids = sheets.map((sheet) => sheet.id);
  const go: KeyLine = [`g then ${ids.map((id) => id[0]).join(" ")}`, `go to ${ids.join(", ")}`];
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
        <h3 class="keyed">Keys</h3>
        <dl class="keys keyed">
          {[...keys, ...COMMON, go].map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <label class="check keyed">
          <input type="checkbox" checked={on} onChange={(event) => set(event.currentTarget.checked)} /> Single keys work
        </label>
        {legend}
        <button class="tool" onClick={shut}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
    </dialog>
  );
}
