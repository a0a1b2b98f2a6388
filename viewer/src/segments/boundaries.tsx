import { List } from "../frame/list";
import { count } from "../frame/format";
import { NEAR, SIGNS, type Spot } from "./corpus";
import { shownSpots, spotBy } from "./keys";
import type { Model, View } from "./model";

/** Every boundary of the document as a list: what the ribbons show, to be read and walked through. */
export function Boundaries({ model, view }: { model: Model; view: View }) {
  const all = shownSpots(view);
  const columns = { "--columns": view.ribbons.length };
  return (
    <section class="boundaries" aria-label="Boundaries" style={columns}>
      <div class="boundhead">
        <h4>{`${count(all.length)} of ${count(view.spots.length)} places with a boundary`}</h4>
        {model.gold && (
          <label class="check">
            <input type="checkbox" checked={view.place.wrong} onChange={(e) => view.go({ wrong: e.currentTarget.checked })} /> only extra and missed <kbd>x</kbd>
          </label>
        )}
        <span class="walk">
          <button class="tool" onClick={() => spotBy(view, -1)}><span aria-hidden="true">◂</span><span class="hidden">Previous boundary</span> <kbd aria-hidden="true">p</kbd></button>
          <button class="tool" onClick={() => spotBy(view, 1)}><span aria-hidden="true">▸</span><span class="hidden">Next boundary</span> <kbd aria-hidden="true">n</kbd></button>
        </span>
      </div>
      {all.length ? (
        <>
          <div class="row heads" aria-hidden="true">
            <span>{model.corpus.unit}</span>
            {view.ribbons.map((one, n) => <bdi key={n} title={one.name}>{one.name}</bdi>)}
          </div>
          <List
            label="Boundaries of the document"
            rows={all.length}
            current={all.findIndex((spot) => spot.at === view.place.at)}
            move={(by) => spotBy(view, by)}
            id={(i) => `at${all[i].at}`}
            tallness={26}
            draw={(i) => <Line key={all[i].at} model={model} view={view} spot={all[i]} place={i} total={all.length} />}
          />
        </>
      ) : (
        <p class="empty">{view.spots.length ? "No boundary is extra or missed at this window." : "This document has no boundary: each segmentation is one segment."}</p>
      )}
    </section>
  );
}

function Line({ model, view, spot, place, total }: { model: Model; view: View; spot: Spot; place: number; total: number }) {
  return (
    <div
      id={`at${spot.at}`}
      class="row"
      data-testid="boundary"
      role="option"
      aria-selected={spot.at === view.place.at}
      aria-posinset={place + 1}
      aria-setsize={total}
      onClick={() => view.go({ at: spot.at })}
    >
      <span class="where">{spot.at}</span>
      {view.ribbons.map((one, n) => (
        <span key={n} class="cell"><span class="hidden">{`${one.name}: `}</span>{words(model, spot, n)}</span>
      ))}
    </div>
  );
}

/** What a segmentation has at a place, in a sign and a word. */
export function words(model: Model, spot: Spot, n: number): string {
  const kind = spot.kinds[n];
  if (kind < 0) return "·";
  if (!model.gold || n === 0) return "¶";
  const word = `${SIGNS[kind]} ${model.corpus.kinds[kind]}`;
  if (kind === NEAR) return `${word} ${spot.away[n] > 0 ? "+" : "−"}${Math.abs(spot.away[n])}`;
  return word;
}
