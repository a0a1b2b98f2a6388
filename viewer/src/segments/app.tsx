import { useMemo } from "preact/hooks";
import { About } from "../frame/about";
import { Scores } from "../frame/cards";
import { count } from "../frame/format";
import { Figure, Figures, Frame, type Sheet } from "../frame/frame";
import { usePlace, type Links } from "../frame/place";
import { hasGold, listed, ribbons, spots } from "./corpus";
import { DocumentsTable } from "../frame/documents";
import { act, KEYS } from "./keys";
import { hues, letter, type Model, type View } from "./model";
import { Overview } from "./overview";
import { Segments } from "./sheet";
import { Signs } from "./signs";
import type { Payload } from "./types";
import { format, parse, usual, type Place } from "./url";

export function App({ payload }: { payload: Payload }) {
  const { corpus } = payload;
  const model: Model = useMemo(() => ({ payload, corpus, letters: payload.letters ?? corpus.methods.map((_, n) => letter(n)), gold: hasGold(corpus), colours: hues(corpus) }), [payload]);
  const links: Links<Place> = useMemo(() => ({ parse: (hash) => parse(hash, corpus), format: (place) => format(place, corpus) }), [corpus]);
  const [place, go] = usePlace(links);
  const rows = useMemo(() => listed(corpus, place.sort, place.by, place.q), [corpus, place.sort, place.by, place.q]);
  const doc = place.doc >= 0 ? place.doc : (rows[0] ?? -1);
  const drawn = useMemo(() => (doc < 0 ? [] : ribbons(corpus, doc, place.step)), [corpus, doc, place.step]);
  const all = useMemo(() => spots(drawn), [drawn]);
  const sides = useMemo(() => place.sides ?? usual(corpus), [corpus, place.sides]);
  const view: View = { place, go, rows, doc, ribbons: drawn, spots: all, sides };
  const sheets: Sheet[] = [
    { id: "overview", name: "Overview", body: () => <Overview model={model} /> },
    { id: "segments", name: "Segments", body: () => <Segments model={model} view={view} /> },
    { id: "documents", name: "Documents", body: () => <ByDocument model={model} view={view} /> },
    { id: "about", name: "About", body: () => <About payload={payload} /> },
  ];
  return (
    <Frame
      payload={payload}
      sheets={sheets}
      page={place.page}
      go={(page) => go({ page })}
      figures={place.page === "overview" ? null : payload.tables ? <Sizes payload={payload} /> : <Scores payload={payload} />}
      keys={KEYS}
      legend={model.gold && <Signs model={model} />}
      act={(key) => act(key, model, view)}
      clear={() => (place.page === "segments" ? go({ q: "", wrong: false }) : place.page === "documents" && go({ q: "", order: "" }))}
    />
  );
}

/** Every document with its figures; each opens. */
function ByDocument({ model, view }: { model: Model; view: View }) {
  const { corpus: c } = model;
  return (
    <DocumentsTable
      table={c.by_document}
      names={c.names}
      total={c.total}
      order={view.place.order}
      find={view.place.q}
      set={({ find = view.place.q, order = view.place.order }) => view.go({ q: find, order })}
      open={(doc) => view.go({ page: "segments", doc, at: -1, q: "" })}
      note="Choose a document to see its boundaries."
    />
  );
}

function Sizes({ payload }: { payload: Payload }) {
  return (
    <Figures>
      <Figure name="Segmentations" value={count(payload.corpus.methods.length)} id="segmentations" />
      <Figure name="Documents" value={count(payload.documents)} id="documents" />
    </Figures>
  );
}
