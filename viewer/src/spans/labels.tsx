import { useMemo, useState } from "preact/hooks";
import { intervals } from "../frame/about";
import { brief, count, plural, rate, title } from "../frame/format";
import { sorted } from "../frame/heads";
import { Interval } from "../frame/interval";
import { Scroll } from "../frame/scroll";
import { lead, type Model, type View } from "./model";
import type { Num } from "../frame/types";

const FEW = 20; // below this many gold spans a rate says little
const MOST = 12; // lines at first; a search finds the others

type Column = "label" | "precision" | "recall" | "value" | "beside" | "tp" | "fp" | "fn" | "gold" | "pred";
const COLUMNS: [Column, string][] = [
  ["label", "Label"],
  ["precision", "P"],
  ["recall", "R"],
  ["value", ""], // the rate that leads
  ["beside", ""], // that of the measure beside it
  ["tp", "TP"],
  ["fp", "FP"],
  ["fn", "FN"],
  ["gold", "Gold"],
  ["pred", "Pred"],
];

interface Line {
  code: number;
  label: string;
  precision: Num;
  recall: Num;
  value: Num;
  beside: Num;
  tp: number;
  fp: number;
  fn: number;
  gold: number;
  pred: number;
}

/** Rates of every label: at the slider's step, or (wide) at the threshold asked for, with intervals. */
export function Labels({ model, view, wide = false }: { model: Model; view: View; wide?: boolean }) {
  const { payload, colours } = model;
  const [by, setBy] = useState<Column>("gold");
  const [up, setUp] = useState(false);
  const [all, setAll] = useState(false);
  const [q, setQ] = useState("");
  const bounds = useMemo(() => valuesOf(payload, payload.explained), [payload]);
  const others = useMemo(() => valuesOf(payload, payload.beside ?? -1), [payload]);
  const raw = payload.corpus;
  if (!raw || !payload.labels.length) return null;
  const lines: Line[] = raw.by_label[wide ? raw.at : view.place.step].map(([tp, pred, gold, precision, recall, value, fp, fn], code) => {
    const label = payload.labels[code];
    return { code, label, precision, recall, value, beside: others.get(label)?.value ?? null, tp, fp, fn, gold, pred };
  });
  const main = title(lead(payload));
  const beside = payload.beside === null ? "" : brief(payload.measures[payload.beside].short);
  const names: Partial<Record<Column, string>> = { value: main, beside: `${main} ${beside}` };
  const columns = COLUMNS.filter(([key]) => (key === "beside" ? wide && beside : wide || !["tp", "fp", "fn", "pred"].includes(key)));
  const sort = (key: Column) => {
    setUp(key === by ? !up : key === "label");
    setBy(key);
  };
  const open = (code: number) => view.go({ label: view.place.label === code && !wide ? -1 : code, ...(wide ? { page: "errors" as const } : {}) });
  const many = lines.length > MOST;
  const word = q.toLowerCase();
  const found = sorted(lines.map((line) => line[by]), up ? by : `-${by}`).map((at) => lines[at]).filter((line) => !word || line.label.toLowerCase().includes(word));
  const few = !all && found.length > MOST;
  return (
    <>
      {many && (
        <p class="filters">
          <input type="search" aria-label="Find a label" placeholder="find a label" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
          <span class="note" role="status">{`${few ? `${MOST} of ` : ""}${plural(found.length, "label")}`}</span>
          {(few || all) && <button class="link" onClick={() => setAll(!all)}>{all ? `The first ${MOST}` : `All ${count(found.length)}`}</button>}
        </p>
      )}
      <Scroll name="Labels">
        <table class={wide ? "labels wide" : "labels"}>
          <caption class={wide ? "" : "hidden"}>{wide ? caption(model) : "Labels at this threshold"}</caption>
          <thead>
            <tr>
              {columns.map(([key, name]) => (
                <th key={key} aria-sort={key === by ? (up ? "ascending" : "descending") : undefined}>
                  <button onClick={() => sort(key)}>{names[key] ?? name}{key === by ? (up ? " ↑" : " ↓") : ""}</button>
                </th>
              ))}
              {wide && <th class="wideonly">{main}, 0 to 1</th>}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, few ? MOST : undefined).map((line) => (
              <tr key={line.code} class={line.gold < FEW ? "few" : ""} aria-current={view.place.label === line.code && !wide ? "true" : undefined}>
                <th scope="row">
                  <button onClick={() => open(line.code)} title={line.label}>
                    <span class={`hue ${colours[line.code].dotted ? "dotted" : ""}`} style={{ "--c": colours[line.code].name }} />
                    <bdi>{line.label}</bdi>
                  </button>
                  {line.gold === 0 && <>{" "}<em>not in gold</em></>}
                  {line.pred === 0 && <>{" "}<em>never predicted</em></>}
                </th>
                {(["precision", "recall", "value"] as const).map((key) => <td key={key}>{rate(line[key], wide ? 4 : 3)}</td>)}
                {wide && beside && <td>{rate(line.beside)}</td>}
                {wide && (["tp", "fp", "fn"] as const).map((key) => <td key={key}>{count(line[key])}</td>)}
                <td title={line.gold < FEW ? `few examples: n = ${line.gold}` : ""}>{count(line.gold)}</td>
                {wide && <td>{count(line.pred)}</td>}
                {wide && (
                  <td class="wideonly">
                    <Interval low={null} high={null} {...bounds.get(line.label)} value={line.value} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** The rate that leads a measure, with its interval, of each label. */
function valuesOf(p: Model["payload"], measure: number): Map<string | null, { value: Num; low: Num; high: Num }> {
  const rows = p.rows.filter((r) => r[0] === measure && r[1] === p.measures[measure].lead.rate && r[2] === "label");
  return new Map(rows.map((r) => [r[3], { value: r[4], low: r[5], high: r[6] }]));
}

function caption(model: Model): string {
  return `${intervals(model.payload)} Greyed: fewer than ${FEW} gold spans.`;
}
