import { Cards } from "../frame/cards";
import { Curve } from "./curve";
import { LabelChoice } from "./filters";
import { count, rate } from "../frame/format";
import { sign } from "./kinds";
import { Labels } from "./labels";
import { stepName, type Model, type View } from "./model";
import { Capped } from "./signs";
import { Slider } from "./slider";
import { Tables } from "../frame/tables";
import { CLEAR } from "./url";

export function Overview({ model, view }: { model: Model; view: View }) {
  const p = model.payload;
  const raw = p.corpus;
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      {raw && raw.steps.length > 1 && view.place.step !== raw.at && (
        <p class="note">{`Cards, errors and label table are for ${raw.exact ? "the exact match" : `the threshold asked for, ${stepName(raw, raw.at)}`}; the header follows the slider.`}</p>
      )}
      <Cards payload={p} />
      {p.overall && <p class="about">{p.overall}</p>}
      <div class="halves">
        {p.errors.length > 0 && <Wrong model={model} view={view} />}
        {raw && raw.steps.length > 1 && (
          <section class="card">
            <h3>Over thresholds</h3>
            <div class="filters">
              <LabelChoice model={model} view={view} id="curve-label" />
            </div>
            <Curve model={model} view={view} />
            <Slider model={model} view={view} />
          </section>
        )}
      </div>
      {raw && (
        <section class="card">
          <h3>Labels</h3>
          <Labels model={model} view={view} wide />
        </section>
      )}
      {(!raw || p.measures.length > 1) && <Tables payload={p} />}
      <Capped raw={raw} />
    </div>
  );
}

/** Bars of the kinds by number, each a way into the list; what fixing the kind alone would bring beside it. */
function Wrong({ model, view }: { model: Model; view: View }) {
  const p = model.payload;
  const errors = p.errors.filter((e) => e.count > 0).sort((a, b) => (b.gain ?? 0) - (a.gain ?? 0) || b.count - a.count);
  const gains = errors.some((e) => e.gain !== null); // not every measure can say
  const most = Math.max(1, ...errors.map((e) => e.count));
  const open = (kind: string) => {
    const code = p.kinds.indexOf(kind);
    view.go({ ...CLEAR, page: "errors", kinds: code < 0 ? null : [code], step: model.names.at });
  };
  return (
    <section class="card">
      <h3>What goes wrong</h3>
      <table class="wrong">
        <caption>
          {gains && "Gain: what F1 would gain if only this kind were fixed. "}
          {model.corpus && "Choose a kind to see its errors."}
        </caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col" class="num">Number</th>
            <td />
            {gains && <th scope="col" class="num">Gain</th>}
          </tr>
        </thead>
        <tbody>
          {errors.map((e) => (
            <tr key={e.kind} onClick={() => model.corpus && open(e.kind)}>
              <th scope="row">
                <span class="glyph">{sign(e.kind).glyph}</span>
                {model.corpus ? <button onClick={() => open(e.kind)} title={sign(e.kind).says}>{e.kind}</button> : e.kind}
              </th>
              <td>{count(e.count)}</td>
              <td class="bar"><span style={{ width: `${(100 * e.count) / most}%` }} /></td>
              {gains && <td>{e.gain === null ? "–" : `+${rate(e.gain)}`}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {!errors.length && <p>No errors: every span matches.</p>}
    </section>
  );
}
