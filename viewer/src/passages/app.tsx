import { useMemo } from "preact/hooks";
import { About } from "../frame/about";
import { rate } from "../frame/format";
import { Figure, Figures, Frame, type Sheet } from "../frame/frame";
import { usePlace } from "../frame/place";
import { act, KEYS } from "./keys";
import { cellsOf, cutoffAt, type Model, type View } from "./model";
import { filtered, ordered, Words } from "./order";
import { Overview } from "./overview";
import { Queries } from "./queries";
import { leading, overall, short } from "./rates";
import { STATES, type Payload } from "./types";
import { CLEAR, format, parse } from "./url";

function modelOf(payload: Payload): Model {
  const q = payload.queries;
  return { payload, q, links: { parse: (hash) => parse(hash, payload), format: (place) => format(place, payload) }, cells: cellsOf(q) };
}

export function App({ payload }: { payload: Payload }) {
  const model = useMemo(() => modelOf(payload), [payload]);
  const { q } = model;
  const words = useMemo(() => new Words(q), [q]);
  const [place, go] = usePlace(model.links);
  const k = cutoffAt(q, place.step);
  const kept = useMemo(() => filtered(q, place, k, words), [q, place.q, place.miss, place.miss && k]);
  const rows = useMemo(() => ordered(q, kept, place.sort, place.step), [kept, place.sort, place.step]);
  const current = rows.length ? Math.max(0, rows.indexOf(place.sel)) : -1;
  const view: View = { place, go, k, rows, current };
  const sheets: Sheet[] = [
    { id: "overview", name: "Overview", body: () => <Overview model={model} view={view} /> },
    { id: "queries", name: "Queries", body: () => <Queries model={model} view={view} /> },
    { id: "about", name: "About", body: () => <About payload={payload} /> },
  ];
  return (
    <Frame
      payload={payload}
      sheets={sheets}
      page={place.page}
      go={(page) => go({ page })}
      figures={place.page !== "overview" && <Scores model={model} view={view} />}
      keys={KEYS}
      legend={<Legend />}
      act={(key, event) => act(key, event, model, view)}
      clear={() => place.page === "queries" && go(CLEAR)}
    />
  );
}

/** The figures at the cutoff. */
function Scores({ model: { payload, q }, view }: { model: Model; view: View }) {
  const { step } = view.place;
  return (
    <Figures>
      {q.cutoffs.length > 1 && <Figure name="Cutoff k" value={String(q.cutoffs[step])} id="step" />}
      {leading(q, 4).map((column) => (
        <Figure key={column.rate} name={short(q, column, step)} value={rate(overall(payload, column, step)?.[4] ?? null)} id={column.rate} />
      ))}
    </Figures>
  );
}

function Legend() {
  return (
    <>
      <h3>Signs</h3>
      <ul class="signs">
        {STATES.map((state) => (
          <li key={state.name}>
            <span class={`sign ${state.name}`} aria-hidden="true">{state.glyph}</span> {state.word}
          </li>
        ))}
        <li>
          <span class="sign" aria-hidden="true">▴</span> the first that holds an answer
        </li>
      </ul>
    </>
  );
}
