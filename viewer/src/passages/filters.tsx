import { plural, seek } from "../frame/format";
import type { Model, View } from "./model";
import { keyOf, long } from "./rates";
import { CLEAR, ORDERS } from "./url";

/** Words, misses only, the order, and the cutoff. */
export function Bar({ model, view }: { model: Model; view: View }) {
  const { q, payload } = model;
  const { place, go } = view;
  return (
    <div class="filters" role="search">
      <Slider model={model} view={view} />
      <button class="chip" data-testid="miss" aria-pressed={place.miss} onClick={() => go({ miss: !place.miss })}>
        <kbd aria-hidden="true">m</kbd> Only misses
      </button>
      <label>
        {"Sort "}
        <select id="sort" value={place.sort} onChange={(e) => go({ sort: e.currentTarget.value })}>
          {q.columns.map((column) => (
            <option key={keyOf(column)} value={keyOf(column)}>
              {`worst ${long(q, column, place.step)}${several(model, column.rate) ? `, ${payload.measures[column.measures[0]].form.split("(")[0].replace("passages.", "")}` : ""}`}
            </option>
          ))}
          {Object.entries(ORDERS).map(([key, name]) => <option key={key} value={key}>{name}</option>)}
        </select>
      </label>
      <label>
        {payload.text === "none" ? "Name" : "Words"}{" "}
        <input id="search" type="search" value={place.q} placeholder={seek("search")} autocomplete="off" onInput={(e) => go({ q: e.currentTarget.value })} />
      </label>
      {(place.q || place.miss) && (
        <button class="link" onClick={() => go(CLEAR)}>
          Clear <kbd>Esc</kbd>
        </button>
      )}
      <span class="hits" role="status">{plural(view.rows.length, "query", "queries")}</span>
    </div>
  );
}

const several = ({ q }: Model, rate: string): boolean => q.columns.filter((column) => column.rate === rate).length > 1;

/** The cutoffs that were evaluated; nothing where there is one. */
export function Slider({ model: { q }, view }: { model: Model; view: View }) {
  if (q.cutoffs.length < 2) return null;
  const { step } = view.place;
  return (
    <div class="slider">
      <label for="slider">
        Cutoff k <strong>{q.cutoffs[step]}</strong> <kbd>[</kbd> <kbd>]</kbd>
      </label>
      <input
        id="slider"
        data-testid="slider"
        type="range"
        min={0}
        max={q.cutoffs.length - 1}
        step={1}
        value={step}
        aria-valuetext={`first ${q.cutoffs[step]}`}
        onInput={(event) => view.go({ step: Number(event.currentTarget.value) })}
      />
    </div>
  );
}
