import { Cards, chosen, leading } from "../frame/cards";
import { Curve } from "./curve";
import { LabelChoice } from "./filters";
import { count, plural, rate, title } from "../frame/format";
import { sign } from "./kinds";
import { leaking } from "./leaks";
import { Labels } from "./labels";
import { lead, stepName, type Model, type View } from "./model";
import { Scores } from "./scores";
import { Capped } from "./signs";
import { Slices } from "../frame/slices";
import { Slider } from "./slider";
import { Tables } from "../frame/tables";
import { Verdict } from "../frame/verdict";
import type { Payload } from "./types";
import { CLEAR } from "./url";

export function Overview({ model, view }: { model: Model; view: View }) {
  const p = model.payload;
  const raw = p.corpus;
  const cards = chosen(p);
  const errors = p.errors.filter((e) => e.count > 0).sort((a, b) => (b.gain ?? 0) - (a.gain ?? 0) || b.count - a.count);
  const leak = cards.filter((one) => one.row[0] === p.leaks?.measure);
  const leads = [...leak.map((one) => ({ ...one, under: "share of characters" })), ...cards.slice(0, 1)]; // leaks first
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      <Verdict payload={p} leads={leads}>
        {p.leaks && <p><strong>{leaking(p.leaks)}</strong> <a href="#/leaks">Every leak</a></p>}
        <Found payload={p} />
        <Worst payload={p} errors={errors} />
        <p>{leading(p)} {p.overall}</p>
      </Verdict>
      <Cards all={cards.slice(1).filter((one) => !leak.includes(one))} />
      <div class="halves">
        {p.errors.length > 0 && <Wrong model={model} view={view} errors={errors} />}
        {raw && raw.steps.length > 1 && p.labels.length > 0 && (
          <section class="card">
            <h3>Over thresholds</h3>
            <div class="filters">
              <LabelChoice model={model} view={view} id="curve-label" />
            </div>
            <Curve model={model} view={view} />
            <Slider model={model} view={view} />
            {view.place.step !== raw.at && (
              <>
                <Scores model={model} view={view} />
                <p class="note">{`All else on this page is for ${raw.exact ? "the exact match" : `the threshold asked for, ${stepName(raw, raw.at)}`}.`}</p>
              </>
            )}
          </section>
        )}
        {raw && p.labels.length > 0 && (
          <section class="card bylabel">
            <h3>Labels</h3>
            <Labels model={model} view={view} wide />
          </section>
        )}
      </div>
      <Slices payload={p} open={opener(model, view)} />
      {(!raw || p.measures.length > 1) && <Tables payload={p} />}
      <Capped raw={raw} />
    </div>
  );
}

/** What leads from a slice to its errors; nothing where the page has no spans, or cannot tell which are in it. */
const opener =
  ({ names }: Model, view: View) =>
  (by: string, name: string): (() => void) | undefined => {
    const way = names.ways.findIndex((one) => one.by === by);
    const slice = names.ways[way]?.names.indexOf(name) ?? -1;
    return slice < 0 ? undefined : () => view.go({ ...CLEAR, page: "errors", slice: [way, slice], step: names.at });
  };

/** How much was found. */
function Found({ payload: { corpus: c, quotes } }: { payload: Payload }) {
  const at = c?.whole[c.at];
  const lost = quotes?.counts.not_found ?? 0;
  if (!at && !lost) return null;
  return (
    <p>
      {at && (at.gold + at.pred === 0 ? "Neither side has a span: there is nothing to find." : `${count(at.tp)} of ${plural(at.gold, "gold span")} are found, with ${plural(at.pred, "predicted span")}.`)}
      {lost > 0 && <> {count(lost)}{` ${lost === 1 ? "quote stands" : "quotes stand"} nowhere in the documents.`}</>}
    </p>
  );
}

/** The largest problem, and what fixing it would bring. */
function Worst({ payload: p, errors }: { payload: Payload; errors: Payload["errors"] }) {
  if (!errors.length) return null;
  const [first] = errors;
  const all = errors.reduce((sum, e) => sum + e.count, 0);
  return (
    <p>
      Largest problem: <strong>{`${sign(first.kind).glyph} ${first.kind}`}</strong>
      {` (${p.said[first.kind]}), ${count(first.count)} of ${plural(all, "error")}.`}
      {first.f1_if_fixed !== null && first.gain !== null && ` If these alone were right, ${title(lead(p))} would be ${rate(first.f1_if_fixed)}.`}
    </p>
  );
}

/** Bars of the kinds by number, each a way into the list; what fixing the kind alone would bring beside it. */
function Wrong({ model, view, errors }: { model: Model; view: View; errors: Payload["errors"] }) {
  const p = model.payload;
  const gains = errors.some((e) => e.gain !== null); // not every measure can say
  const most = Math.max(1, ...errors.map((e) => e.count));
  const open = (kind: string) => {
    const code = p.kinds.indexOf(kind);
    view.go({ ...CLEAR, page: "errors", kinds: code < 0 ? null : [code], step: model.names.at });
  };
  return (
    <section class={`card ${errors.length ? "" : "short"}`}>
      <h3>What goes wrong</h3>
      {errors.length > 0 && <table class="wrong">
        <caption>
          {gains && "Gain: what F1 would gain if only this kind were fixed. "}
          {model.corpus && "Choose a kind to see its errors."}
        </caption>
        <thead>
          <tr>
            <th>Kind</th>
            <th class="num">Number</th>
            <td />
            {gains && <th class="num">Gain</th>}
          </tr>
        </thead>
        <tbody>
          {errors.map((e) => (
            <tr key={e.kind} onClick={() => model.corpus && open(e.kind)}>
              <th>
                <span class="glyph">{sign(e.kind).glyph}</span>
                {model.corpus ? <button onClick={() => open(e.kind)} title={p.said[e.kind]}>{e.kind}</button> : e.kind}
              </th>
              <td>{count(e.count)}</td>
              <td class="bar"><span style={{ width: `${(100 * e.count) / most}%` }} /></td>
              {gains && <td>{e.gain === null ? "–" : `+${rate(e.gain)}`}</td>}
            </tr>
          ))}
        </tbody>
      </table>}
      {!errors.length && <p>{model.payload.corpus?.whole[model.names.at].gold === 0 ? "No errors: there are no spans." : "No errors: every span matches."}</p>}
    </section>
  );
}
