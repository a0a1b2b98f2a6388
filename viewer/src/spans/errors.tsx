import { Chips } from "./chips";
import { Coming } from "./coming";
import { Curve } from "./curve";
import { DocumentView } from "./document";
import { filtered } from "./filter";
import { Bar } from "./filters";
import { count } from "../frame/format";
import { Labels } from "./labels";
import { List } from "../frame/list";
import { selectBy } from "./keys";
import { KwicRow } from "./kwic";
import { Matrix } from "./matrix";
import { stepName, type Model, type View } from "./model";
import { Slider } from "./slider";
import { Capped } from "./signs";
import { kindOf, pairOf } from "./step";
import { CLEAR } from "./url";

export function Errors({ model, view }: { model: Model; view: View }) {
  const raw = model.payload.corpus;
  if (!raw || !view.found) return null;
  return (
    <div class="errors">
      <h2 class="hidden">Errors</h2>
      <aside class="left" aria-label="Threshold, labels and confusions">
        <Slider model={model} view={view} />
        <Curve model={model} view={view} />
        <Labels model={model} view={view} />
        <Matrix model={model} view={view} />
      </aside>
      <section class="right" aria-label="Findings">
        <Chips model={model} view={view} />
        <Bar model={model} view={view} />
        {raw.served && <Coming {...view.coming} searched={view.place.q !== ""} />}
        <Capped raw={raw} />
        {view.found.rows.length ? <Findings model={model} view={view} rows={view.found.rows} /> : <Nothing model={model} view={view} />}
        <DocumentView model={model} view={view} />
      </section>
    </div>
  );
}

function Findings({ model, view, rows }: { model: Model; view: View; rows: Int32Array }) {
  const { current, verdicts } = view;
  const draw = (i: number) => {
    const id = rows[i];
    const [g, p] = pairOf(verdicts!, id);
    const kind = model.payload.kinds[kindOf(verdicts!, id)];
    return <KwicRow key={id} model={model} go={view.go} id={id} kind={kind} g={g} p={p} place={i} total={rows.length} chosen={i === current} />;
  };
  return (
    <List
      label="Findings in context"
      rows={rows.length}
      current={current}
      move={(by) => selectBy(view, model, by)}
      id={(i) => `row${rows[i]}`}
      draw={draw}
    />
  );
}

function Nothing({ model, view }: { model: Model; view: View }) {
  const raw = model.payload.corpus;
  if (!raw) return null;
  const { place } = view;
  const at = raw.whole[place.step];
  const exact = raw.exact && place.step === raw.at;
  const where = exact ? " exactly" : raw.steps.length > 1 ? ` at ${stepName(raw, place.step)}` : "";
  const perfect = at.kinds[0] > 0 && at.kinds.every((n, kind) => kind === 0 || n === 0);
  const [gold, pred] = model.payload.inputs;
  return (
    <div class="empty" role="status">
      <p>
        {perfect ? `Every span matches${where}: ${count(at.kinds[0])} of ${count(at.gold)}.` : `Nothing to list with these filters${exact ? "" : where}.`}
        {perfect && gold.sha256 && gold.sha256 === pred.sha256 && " The two files are the same, byte for byte."}
      </p>
      <p>
        {(filtered(place) || place.kinds) && (
          <button class="tool" onClick={() => view.go(CLEAR)}>
            Clear the filters
          </button>
        )}{" "}
        {place.step !== raw.at && (
          <button class="tool" onClick={() => view.go({ step: raw.at })}>
            Back to {stepName(raw, raw.at)}
          </button>
        )}
      </p>
    </div>
  );
}
