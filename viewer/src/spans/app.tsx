import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { About } from "../frame/about";
import { Scores as Headline } from "../frame/cards";
import { count, rate, title } from "../frame/format";
import { Figure, Frame, type Sheet } from "../frame/frame";
import { usePlace } from "../frame/place";
import { colours, support } from "./colours";
import { build } from "./corpus";
import { Errors } from "./errors";
import { find, nearest, searcher } from "./filter";
import { act, KEYS } from "./keys";
import { Leaks } from "./leaks";
import { lead, stepName, type Model, type View } from "./model";
import { Overview } from "./overview";
import { Quoted } from "./quotes";
import { Signs } from "./signs";
import { stepper } from "./step";
import { useTexts } from "./texts";
import type { Payload } from "./types";
import { CLEAR, format, parse, type Names } from "./url";

const BODIES: Record<string, (props: { model: Model; view: View; payload: Payload }) => VNode | null> = {
  overview: Overview,
  errors: Errors,
  leaks: Leaks,
  quotes: Quoted,
  about: About,
};

export function namesOf(p: Payload): Names {
  const c = p.corpus;
  return {
    labels: p.labels,
    kinds: p.kinds,
    steps: c?.steps.length ?? 1,
    at: c?.at ?? 0,
    documents: c?.names.length ?? 0,
    spans: c ? c.gold.doc.length + c.pred.doc.length : 0,
    pages: ["overview", ...(c ? ["errors"] : []), ...(p.leaks ? ["leaks"] : []), ...(p.quotes ? ["quotes"] : []), "about"],
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
  const [sides, setSides] = useState(false);
  const search = useMemo(searcher, []);
  const coming = useTexts(corpus?.raw ?? null);
  const at = useMemo(() => corpus && stepper(corpus), [corpus]);
  const verdicts = useMemo(() => at && at(place.step), [at, place.step]);
  const found = useMemo(
    () => corpus && verdicts && find(corpus, verdicts, place, payload.labels.length, payload.kinds.length, search),
    [corpus, verdicts, place.kinds, place.label, place.pair, place.doc, place.q, place.len, place.conf, place.q && coming.change],
  );
  const current = corpus && found ? nearest(corpus, found.rows, place.sel) : -1;
  const view: View = { place, go, verdicts, found, current, sides, setSides, coming };
  const sheets = model.names.pages.map((id): Sheet => {
    const Body = BODIES[id];
    return { id, name: title(id), body: () => <Body model={model} view={view} payload={payload} /> };
  });
  return (
    <Frame
      payload={payload}
      sheets={sheets}
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

const COUNTS = [["tp", "TP"], ["pred", "Predicted"], ["gold", "Gold"]] as const;

/** The figures at the slider's step; where no spans are in the file, those of the headline measure. */
function Scores({ model, view }: { model: Model; view: View }) {
  const corpus = model.payload.corpus;
  if (!corpus) return <Headline payload={model.payload} />;
  const at = corpus.whole[view.place.step];
  const main = lead(model.payload);
  return (
    <dl class="scores">
      {corpus.steps.length > 1 && <Figure name="Threshold" value={stepName(corpus, view.place.step)} id="step" />}
      <Figure name={title(main)} value={rate(at.value)} id={main} />
      {(["precision", "recall"] as const).map((id) => <Figure key={id} name={title(id)} value={rate(at[id])} id={id} />)}
      {COUNTS.map(([id, name]) => <Figure key={id} name={name} value={String(at[id])} id={id} />)}
      {model.payload.leaks && <Figure name="Leaked characters" value={count(model.payload.leaks.whole[0])} id="leaked" />}
      {model.payload.quotes && <Figure name="Quotes not found" value={count(model.payload.quotes.counts.not_found)} id="not-found" />}
    </dl>
  );
}
