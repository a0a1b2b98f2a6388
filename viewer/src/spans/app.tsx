import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { About } from "../frame/about";
import { title } from "../frame/format";
import { Frame, type Sheet } from "../frame/frame";
import { usePlace } from "../frame/place";
import { colours, support } from "./colours";
import { build } from "./corpus";
import { ByDocument } from "./bydocument";
import { Errors } from "./errors";
import { exportsOf } from "./exports";
import { find, nearest, searcher } from "./filter";
import { act, KEYS } from "./keys";
import { Leaks } from "./leaks";
import { stepName, type Model, type View } from "./model";
import { ordered } from "./order";
import { Overview } from "./overview";
import { Quoted } from "./quotes";
import { Scores } from "./scores";
import { Signs } from "./signs";
import { spanName, spanNamed } from "./spanname";
import { stepper } from "./step";
import { useTexts } from "./texts";
import type { Payload } from "./types";
import { CLEAR, drilled, format, parse, type Names } from "./url";
import { useFlags } from "./useflags";

const BODIES: Record<string, (props: { model: Model; view: View; payload: Payload }) => VNode | null> = {
  overview: Overview,
  errors: Errors,
  documents: ByDocument,
  leaks: Leaks,
  quotes: Quoted,
  about: About,
};

export function namesOf(p: Payload): Omit<Names, "tell" | "find"> {
  const c = p.corpus;
  return {
    labels: p.labels,
    kinds: p.kinds,
    steps: c ? c.steps.map((_, step) => stepName(c, step)) : [""],
    at: c?.at ?? 0,
    documents: c?.names ?? [],
    ways: Object.values(c?.ways ?? {}),
    pages: ["overview", ...(p.leaks ? ["leaks"] : []), ...(c ? ["errors", "documents"] : []), ...(p.quotes ? ["quotes"] : []), "about"],
  };
}

function modelOf(payload: Payload): Model {
  const names: Names = { ...namesOf(payload), tell: (id) => spanName(model, id), find: (document, span) => spanNamed(model, document, span) };
  const model: Model = {
    payload,
    names,
    links: { parse: (hash) => parse(hash, names), format: (place) => format(place, names), drilled },
    corpus: payload.corpus && build(payload.corpus),
    colours: colours(payload.labels, support(payload)),
  };
  return model;
}

export function App({ payload }: { payload: Payload }) {
  const model = useMemo(() => modelOf(payload), [payload]);
  const { corpus } = model;
  const [place, go] = usePlace(model.links);
  const [sides, setSides] = useState(false);
  const [flags, flag] = useFlags(model);
  const search = useMemo(searcher, []);
  const coming = useTexts(corpus?.raw ?? null);
  const at = useMemo(() => corpus && stepper(corpus), [corpus]);
  const verdicts = useMemo(() => at && at(place.step), [at, place.step]);
  const all = useMemo(
    () => corpus && verdicts && find(corpus, verdicts, place, payload.labels.length, payload.kinds.length, search, flags),
    [corpus, verdicts, place.kinds, place.label, place.pair, place.doc, place.q, place.len, place.conf, place.slice, place.is, place.flagged, place.flagged && flags, place.q && coming.change],
  );
  const found = useMemo(() => all && { ...all, rows: ordered(model, verdicts!, all.rows, place.sort) }, [all, place.sort]);
  const current = corpus && found ? nearest(corpus, found.rows, place.sel, place.sort) : -1;
  const view: View = { place, go, verdicts, found, current, sides, setSides, flags, flag, coming };
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
      figures={place.page !== "overview" && <Scores model={model} view={view} />}
      more={place.page === "errors" ? exportsOf(model, view) : []}
      keys={corpus ? KEYS : []}
      legend={corpus && <Signs kinds={payload.kinds} said={payload.said} />}
      act={(key, event) => act(key, event, model, view)}
      clear={() => (place.page === "errors" ? go(CLEAR) : place.page === "documents" && go({ find: "", order: "" }))}
    />
  );
}
