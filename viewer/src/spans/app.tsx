import { useMemo, useRef, useState } from "preact/hooks";
import { About } from "../frame/about";
import { Scores as Headline } from "../frame/cards";
import { rate, threshold } from "../frame/format";
import { Figure, Frame, type Sheet } from "../frame/frame";
import { usePlace } from "../frame/place";
import { colours, support } from "./colours";
import { build } from "./corpus";
import { Errors } from "./errors";
import { find, Lower, nearest } from "./filter";
import { act, KEYS } from "./keys";

import { Leaks } from "./leaks";
import type { Model, View } from "./model";
import { Overview } from "./overview";
import { Signs } from "./signs";
import { verdictsAt } from "./step";
import type { Payload } from "./types";
import { CLEAR, format, parse, type Names } from "./url";

export function namesOf(p: Payload): Names {
  const c = p.corpus;
  return {
    labels: p.labels,
    kinds: p.kinds,
    steps: c?.steps.length ?? 1,
    at: c?.at ?? 0,
    documents: c?.names.length ?? 0,
    spans: c ? c.gold.doc.length + c.pred.doc.length : 0,
    pages: ["overview", ...(c ? ["errors"] : []), ...(p.leaks ? ["leaks"] : []), "about"],
  };
}

function modelOf(payload: Payload): Model {
  const names = namesOf(payload);
  return {
    payload,
    names,
    links: { parse: (hash) => parse(hash, names), format: (place) => format(place, names) },
    corpus: payload.corpus && build(payload.corpus),
    colours: colours(payload.labels, support(payload)),
  };
}

export function App({ payload }: { payload: Payload }) {
  const model = useMemo(() => modelOf(payload), [payload]);
  const { corpus } = model;
  const [place, go] = usePlace(model.links);
  const [mode, setMode] = useState<"lanes" | "sides">("lanes");
  const lower = useRef(new Lower());
  const verdicts = useMemo(() => corpus && verdictsAt(corpus, place.step), [corpus, place.step]);
  const found = useMemo(
    () => corpus && verdicts && find(corpus, verdicts, place, payload.labels.length, payload.kinds.length, lower.current),
    [corpus, verdicts, place.kinds, place.label, place.pair, place.doc, place.q],
  );
  const current = corpus && found ? nearest(corpus, found.rows, place.sel) : -1;
  const view: View = { place, go, verdicts, found, current, mode, setMode };
  const bodies: Record<string, Sheet> = {
    overview: { id: "overview", name: "Overview", body: () => <Overview model={model} view={view} /> },
    errors: { id: "errors", name: "Errors", body: () => <Errors model={model} view={view} /> },
    leaks: { id: "leaks", name: "Leaks", body: () => <Leaks payload={payload} /> },
    about: { id: "about", name: "About", body: () => <About payload={payload} /> },
  };
  return (
    <Frame
      payload={payload}
      sheets={model.names.pages.map((id) => bodies[id])}
      page={place.page}
      go={(page) => go({ page })}
      figures={<Scores model={model} view={view} />}
      keys={corpus ? KEYS : []}
      legend={corpus && <Signs kinds={payload.kinds} />}
      act={(key, event) => act(key, event, model, view)}
      clear={() => place.page === "errors" && go(CLEAR)}
    />
  );
}

/** The figures at the slider's step; where no spans are in the file, those of the headline measure. */
function Scores({ model, view }: { model: Model; view: View }) {
  const corpus = model.payload.corpus;
  if (!corpus) return <Headline payload={model.payload} />;
  const at = corpus.whole[view.place.step];
  return (
    <dl class="scores">
      {corpus.steps.length > 1 && <Figure name="Threshold" value={threshold(corpus.steps[view.place.step])} id="step" />}
      <Figure name="F1" value={rate(at.f1)} id="f1" />
      <Figure name="Precision" value={rate(at.precision)} id="precision" />
      <Figure name="Recall" value={rate(at.recall)} id="recall" />
      <Figure name="TP" value={String(at.tp)} id="tp" />
      <Figure name="Predicted" value={String(at.pred)} id="pred" />
      <Figure name="Gold" value={String(at.gold)} id="gold" />
    </dl>
  );
}
