import { Chips } from "./chips";
import { Coming } from "./coming";
import { Curve } from "./curve";
import { DocumentView } from "./document";
import { filtered } from "./filter";
import { alikeOf, told } from "./finding";
import { Groups } from "./groups";
import { SortHeads } from "../frame/heads";
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
        <Matrix model={model} view={view} />
        <Labels model={model} view={view} />
        <Curve model={model} view={view} />
      </aside>
      <section class="right" aria-label="Findings">
        <div class="found">
          <Chips model={model} view={view} />
          <Bar model={model} view={view} />
          {raw.served && <Coming {...view.coming} searched={view.place.q !== ""} />}
          <Capped raw={raw} />
          {!view.found.rows.length ? <Nothing model={model} view={view} /> : view.place.group ? <Groups model={model} view={view} rows={view.found.rows} /> : <Findings model={model} view={view} rows={view.found.rows} />}
        </div>
        <DocumentView model={model} view={view} />
      </section>
    </div>
  );
}

const COLUMNS = { kind: "Kind", doc: "Document", text: "Text", labels: "Gold → predicted", alike: "Alike" };

function Findings({ model, view, rows }: { model: Model; view: View; rows: Int32Array }) {
  const { current, verdicts } = view;
  const n = model.corpus!.gold.doc.length;
  const draw = (i: number) => {
    const id = rows[i];
    const [g, p] = pairOf(verdicts!, id);
    const kind = model.payload.kinds[kindOf(verdicts!, id)];
    const flag = (view.flags.get(g) ?? view.flags.get(p < 0 ? -1 : n + p))?.says ?? "";
    const like = alikeOf(model, verdicts!, g);
    return <KwicRow alike={like.score ?? like.iou} tip={told(like)} key={id} flag={flag} model={model} go={view.go} id={id} kind={kind} g={g} p={p} place={i} total={rows.length} chosen={i === current} />;
  };
  return (
    <>
      <SortHeads of={model.payload.text === "none" ? { ...COLUMNS, text: "Offsets" } : COLUMNS} sort={view.place.sort} set={(sort) => view.go({ sort })} />
      <List
        label="Findings in context"
        rows={rows.length}
        current={current}
        move={(by) => selectBy(view, model, by)}
        id={(i) => `row${rows[i]}`}
        draw={draw}
      />
    </>
  );
}

function Nothing({ model, view }: { model: Model; view: View }) {
  const raw = model.payload.corpus;
  if (!raw) return null;
  const { place } = view;
  const at = raw.whole[place.step];
  const exact = raw.exact && place.step === raw.at;
  const where = exact ? " exactly" : raw.steps.length > 1 ? ` at ${stepName(raw, place.step)}` : "";
  if (at.gold + at.pred === 0) return <p class="empty" role="status">Neither side has a span: there is nothing to list.</p>;
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
