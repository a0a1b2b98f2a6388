import { Curve } from "./curve";
import { count, plural, rate, threshold, title } from "./format";
import { Interval } from "./interval";
import { sign } from "./kinds";
import { Labels } from "./labels";
import type { Model, View } from "./model";
import { Slider } from "./slider";
import { Tables } from "./tables";
import type { Payload, Row } from "./types";

export function Overview({ model, view }: { model: Model; view: View }) {
  const p = model.payload;
  const raw = p.corpus;
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      {raw && raw.steps.length > 1 && view.place.step !== raw.at && (
        <p class="note">{`Cards, errors and label table are for the threshold asked for, ${threshold(raw.steps[raw.at])}; the header follows the slider.`}</p>
      )}
      <Cards payload={p} />
      <div class="halves">
        {p.errors.length > 0 && <Wrong model={model} view={view} />}
        {raw && raw.steps.length > 1 && (
          <section class="card">
            <h3>Over thresholds</h3>
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
      {raw && raw.embedded < raw.total && (
        <p class="note">{`${count(raw.embedded)} of ${plural(raw.total, "document")} are in this file; the scores are over all.`}</p>
      )}
    </div>
  );
}

/** The headline measure's micro rates and macro F1, then the F1 of the other measures. */
export function chosen(p: Payload): { name: string; under: string; row: Row }[] {
  const row = (m: number, r: string, a: string) => p.rows.find((x) => x[0] === m && x[1] === r && x[2] === a && x[3] === null);
  const out: { name: string; under: string; row: Row }[] = [];
  const add = (name: string, under: string, found: Row | undefined) => found && out.push({ name, under, row: found });
  add("F1", "micro", row(p.headline, "f1", "micro"));
  add("Precision", "micro", row(p.headline, "precision", "micro"));
  add("Recall", "micro", row(p.headline, "recall", "micro"));
  add("F1", "macro", row(p.headline, "f1", "macro"));
  p.measures.forEach((m, i) => i !== p.headline && out.length < 6 && add("F1", m.short, row(i, "f1", "micro")));
  if (out.length) return out;
  for (const r of p.rows) {
    if (r[0] === p.headline && r[3] === null && r[2] === p.rows[0][2] && out.length < 6) add(title(r[1]), r[2], r);
  }
  return out;
}

function Cards({ payload }: { payload: Payload }) {
  const shown = chosen(payload);
  return (
    <>
      <ul class="cards">
        {shown.map(({ name, under, row }, i) => (
          <li key={i} class="card">
            <div class="what">
              {name} <span title={under}>{under}</span>
            </div>
            <div class="value">{rate(row[4])}</div>
            <Interval value={row[4]} low={row[5]} high={row[6]} />
            {row[5] !== null && row[6] !== null && <div class="bounds">{`${rate(row[5])} to ${rate(row[6])}`}</div>}
          </li>
        ))}
      </ul>
      <p class="about">{`${payload.measures[payload.headline]?.short ?? ""} · ${plural(payload.documents, "document")} scored`}</p>
    </>
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
    view.go({ page: "errors", kinds: code < 0 ? null : [code], label: -1, pair: null, doc: -1, q: "", step: model.names.at });
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
