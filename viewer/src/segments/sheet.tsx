import { SIGNS } from "./corpus";
import { Boundaries } from "./boundaries";
import { CountsTable } from "./counts";
import { Documents } from "./documents";
import { deepest, zoomBy } from "./keys";
import { Letter } from "./ranking";
import { units, type Model, type View } from "./model";
import { Ribbons } from "./ribbons";
import { Slider } from "./slider";
import { TextPane } from "./text";

export function Segments({ model, view }: { model: Model; view: View }) {
  if (!model.corpus.names.length) return <p class="notice">There are no documents to draw.</p>;
  return (
    <div class="segments">
      <h2 class="hidden">Segments</h2>
      <aside class="left" aria-label="Window and documents">
        {model.gold && <Slider model={model} view={view} />}
        <Documents model={model} view={view} />
      </aside>
      {view.doc >= 0 && <Document model={model} view={view} />}
    </div>
  );
}

function Document({ model, view }: { model: Model; view: View }) {
  const { corpus: c } = model;
  return (
    <section class="right" data-testid="document" aria-label={`Document ${c.names[view.doc]}`}>
      <div class="dochead">
        <h3>
          Document <bdi data-testid="docname">{c.names[view.doc]}</bdi>
        </h3>
        <span class="note">{units(c.lengths[view.doc], c.unit)}</span>
        {model.gold && <Legend model={model} view={view} />}
        <span class="walk">
          <button class="tool" data-testid="zoomout" aria-label="Zoom out" disabled={view.place.zoom === 0} onClick={() => zoomBy(view, model, -1)}>−</button>
          <button class="tool" data-testid="zoomin" aria-label="Zoom in" disabled={view.place.zoom >= deepest(c.lengths[view.doc])} onClick={() => zoomBy(view, model, 1)}>+</button>
        </span>
      </div>
      <Ribbons model={model} view={view} />
      {model.gold && <CountsTable model={model} view={view} />}
      <Marked model={model} view={view} />
      <TextPane key={view.doc} model={model} view={view} />
      <Boundaries model={model} view={view} />
    </section>
  );
}

function Legend({ model, view }: { model: Model; view: View }) {
  const { kinds, windows } = model.corpus;
  return (
    <span class="legend">
      {kinds.map((kind, i) => (
        <span key={kind}>
          <b aria-hidden="true">{SIGNS[i]}</b> {kind}
          {kind === "near" && ` (within ${windows[view.place.step]})`}
        </span>
      ))}
    </span>
  );
}

/** Which segmentations are marked in the text. */
function Marked({ model, view }: { model: Model; view: View }) {
  const toggle = (n: number) => {
    const sides = view.sides.includes(n) ? view.sides.filter((one) => one !== n) : [...view.sides, n].sort((a, b) => a - b);
    view.go({ sides });
  };
  return (
    <div class="chips" role="group" aria-label="Boundaries marked in the text">
      <span class="note">¶ in the text:</span>
      {model.corpus.methods.map((name, n) => (
        <button key={n} class="chip" title={name} data-testid={`side-${n}`} aria-pressed={view.sides.includes(n)} onClick={() => toggle(n)}>
          <Letter model={model} side={n} />
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  );
}
