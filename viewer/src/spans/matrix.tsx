import { useMemo, useState } from "preact/hooks";
import type { Model, View } from "./model";

const MOST = 12; // labels drawn; with more, those with the most confusions

interface Cells {
  size: number;
  at: (gold: number, pred: number) => number;
  shown: number[];
  rows: Int32Array; // sums by gold label, and by predicted label, of all labels
  columns: Int32Array;
}

/** Python's counts at the threshold asked for, else the findings of the documents in this file at this step. */
export function cells(model: Model, view: View): Cells | null {
  const { labels, confusion, corpus } = model.payload;
  if (!view.found || !corpus) return null;
  const size = labels.length + 1;
  let table = view.found.cells;
  if (confusion && view.place.step === corpus.at) {
    table = [];
    const codes = new Map(labels.map((name, i) => [name, i]));
    const code = confusion.names.map((name, i) => (i === confusion.names.length - 1 ? labels.length : codes.get(name)!));
    for (const [g, p, n] of confusion.cells) table[code[g] * size + code[p]] = n;
  }
  const off = new Float64Array(size);
  const rows = new Int32Array(size);
  const columns = new Int32Array(size);
  for (const at in table) {
    const p = +at % size;
    const g = (+at - p) / size;
    const n = table[at];
    rows[g] += n;
    columns[p] += n;
    if (g === p) continue;
    off[g] += n;
    off[p] += n;
  }
  let shown = labels.map((_, i) => i);
  if (shown.length > MOST) {
    shown = shown.sort((a, b) => off[b] - off[a] || a - b).slice(0, MOST);
  }
  return { size, at: (g, p) => table[g * size + p] ?? 0, shown: [...shown, labels.length], rows, columns };
}

const MODES = ["counts", "row %", "column %"];

/** What a cell shows: its count, or its share of the row or of the column in percent. */
export function share(table: Cells, mode: number, g: number, p: number): number {
  const n = table.at(g, p);
  return mode === 0 ? n : (100 * n) / (mode === 1 ? table.rows[g] : table.columns[p]);
}

/** A share with as many digits as fit: 0.4, 12, 100. */
const told = (value: number, mode: number): string => (mode === 0 || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1));

export function Matrix({ model, view }: { model: Model; view: View }) {
  const table = useMemo(() => cells(model, view), [model, view.found, view.place.step]);
  const [mode, setMode] = useState(0);
  const { labels, corpus: raw } = model.payload;
  if (!table || labels.length < 1) return null;
  const name = (code: number) => labels[code] ?? "none";
  const pair = view.place.pair;
  const each = table.shown.flatMap((g) => table.shown.map((p) => (g === p || !table.at(g, p) ? 0 : share(table, mode, g, p))));
  const top = Math.max(1, ...each); // the largest confusion, for the shade
  const some = table.shown.length - 1 < labels.length;
  return (
    <div class="matrix">
      <div class="mhead">
        <h3>Confusions</h3>
        <select aria-label="What the cells show" value={String(mode)} onChange={(e) => setMode(Number(e.currentTarget.value))}>
          {MODES.map((name, i) => <option key={i} value={String(i)}>{name}</option>)}
        </select>
      </div>
      <table class={table.shown.length > 10 ? "tight" : ""} style={{ maxWidth: `${150 + 46 * table.shown.length}px` }}>
        <caption>
          Rows are gold, columns predicted · choose a cell to list it · the diagonal counts every pair of one label, also with wrong boundaries
          {some && ` · the ${MOST} of ${labels.length} labels confused most, these first`}
          {raw && raw.embedded < raw.total && view.place.step !== raw.at && " · only the documents in this file"}
        </caption>
        <thead>
          <tr>
            <td />
            {table.shown.map((p) => (
              <th key={p}>
                <span title={name(p)}>{name(p)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.shown.map((g) => (
            <tr key={g}>
              <th title={name(g)}>{name(g)}</th>
              {table.shown.map((p) => {
                const n = table.at(g, p);
                if (!n) return <td key={p} class="zero">{g === labels.length && g === p ? "" : "·"}</td>;
                const value = share(table, mode, g, p);
                const says = told(value, mode);
                const chosen = pair !== null && pair[0] === g && pair[1] === p;
                return (
                  <td key={p}>
                    <button
                      class={g === p ? "same" : ""}
                      style={g === p ? undefined : { "--s": `${Math.round(8 + 50 * Math.sqrt(value / top))}%` }}
                      aria-pressed={chosen}
                      aria-label={`gold ${name(g)}, predicted ${name(p)}: ${n}${mode ? `, ${says} % of the ${MODES[mode].slice(0, -2)}` : ""}`}
                      title={mode ? String(n) : undefined}
                      onClick={() => view.go({ pair: chosen ? null : [g, p], kinds: null, label: -1 })}
                    >
                      {says}
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
