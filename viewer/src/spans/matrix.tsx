import { useMemo } from "preact/hooks";
import type { Model, View } from "./model";

const MOST = 12; // labels drawn; with more, those with the most confusions

interface Cells {
  size: number;
  at: (gold: number, pred: number) => number;
  shown: number[];
  top: number; // the largest confusion, for the shade
}

/** Python's counts at the threshold asked for, else the findings of the documents in this file at this step. */
export function cells(model: Model, view: View): Cells | null {
  const { labels, confusion, corpus } = model.payload;
  if (!view.found || !corpus) return null;
  const size = labels.length + 1;
  let table = view.found.cells;
  if (confusion && view.place.step === corpus.at) {
    table = new Int32Array(size * size);
    const code = confusion.names.map((name, i) => (i === confusion.names.length - 1 ? labels.length : labels.indexOf(name)));
    for (const [g, p, n] of confusion.cells) table[code[g] * size + code[p]] += n;
  }
  const off = new Float64Array(size);
  let top = 1;
  for (let g = 0; g < size; g++)
    for (let p = 0; p < size; p++) {
      if (g === p) continue;
      off[g] += table[g * size + p];
      off[p] += table[g * size + p];
      top = Math.max(top, table[g * size + p]);
    }
  let shown = labels.map((_, i) => i);
  if (shown.length > MOST) {
    shown = shown.sort((a, b) => off[b] - off[a] || a - b).slice(0, MOST).sort((a, b) => a - b);
  }
  return { size, at: (g, p) => table[g * size + p], shown: [...shown, labels.length], top };
}

export function Matrix({ model, view }: { model: Model; view: View }) {
  const table = useMemo(() => cells(model, view), [model, view.found, view.place.step]);
  const { labels, corpus: raw } = model.payload;
  if (!table || labels.length < 1) return null;
  const name = (code: number) => labels[code] ?? "none";
  const pair = view.place.pair;
  return (
    <div class="matrix">
      <table>
        <caption>
          Gold ↓ predicted → · choose a cell to list it
          {table.shown.length - 1 < labels.length && ` · the ${MOST} of ${labels.length} labels confused most`}
          {raw && raw.embedded < raw.total && view.place.step !== raw.at && " · only the documents in this file"}
        </caption>
        <thead>
          <tr>
            <td />
            {table.shown.map((p) => (
              <th key={p} scope="col" title={name(p)}>
                <abbr title={name(p)}>{short(name(p))}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.shown.map((g) => (
            <tr key={g}>
              <th scope="row" title={name(g)}>
                <span>{name(g)}</span>
              </th>
              {table.shown.map((p) => {
                const n = table.at(g, p);
                if (!n) return <td key={p} class="zero">{g === labels.length && g === p ? "" : "·"}</td>;
                const chosen = pair !== null && pair[0] === g && pair[1] === p;
                return (
                  <td key={p}>
                    <button
                      class={g === p ? "same" : ""}
                      style={g === p ? undefined : { "--s": `${Math.round(8 + 50 * Math.sqrt(n / table.top))}%` }}
                      aria-pressed={chosen}
                      aria-label={`gold ${name(g)}, predicted ${name(p)}: ${n}`}
                      onClick={() => view.go({ pair: chosen ? null : [g, p], kinds: null, label: -1 })}
                    >
                      {n}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const short = (label: string): string => [...label].slice(0, 4).join("");
