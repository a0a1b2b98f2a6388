import { useMemo, useState } from "preact/hooks";
import { filtered } from "./filter";
import type { Model, View } from "./model";
import { CLEAR } from "./url";

const OFFERED = 40; // names offered while typing: a list of ten thousand would stall the page

/** Label, document and text filters, and the label pair chosen in the matrix. */
export function Bar({ model, view }: { model: Model; view: View }) {
  const { labels, text } = model.payload;
  const { place, go } = view;
  const name = (code: number) => labels[code] ?? "none";
  return (
    <div class="filters" role="search">
      <label for="label">Label</label>
      <select id="label" value={String(place.label)} onChange={(e) => go({ label: Number(e.currentTarget.value) })}>
        <option value="-1">any</option>
        {labels.map((label, i) => (
          <option key={i} value={String(i)}>
            {label}
          </option>
        ))}
      </select>
      <Documents model={model} view={view} />
      <label for="search">{text === "none" ? "Document name" : "Text"}</label>
      <input
        id="search"
        type="search"
        value={place.q}
        placeholder="search /"
        autocomplete="off"
        onInput={(e) => go({ q: e.currentTarget.value })}
      />
      {place.pair && (
        <button class="pill" onClick={() => go({ pair: null })} aria-label="Remove the label pair">
          {name(place.pair[0])} → {name(place.pair[1])} ×
        </button>
      )}
      {(filtered(place) || place.kinds) && (
        <button class="link" onClick={() => go(CLEAR)}>
          Clear <kbd>Esc</kbd>
        </button>
      )}
    </div>
  );
}

function Documents({ model, view }: { model: Model; view: View }) {
  const names = model.payload.corpus?.names ?? [];
  const { place, go } = view;
  const [typed, type] = useState<string | null>(null);
  const shown = typed ?? (place.doc >= 0 ? names[place.doc] : "");
  const offered = useMemo(() => {
    const out: string[] = [];
    const word = (typed ?? "").toLowerCase();
    for (let i = 0; i < names.length && out.length < OFFERED; i++) {
      if (names[i].toLowerCase().includes(word)) out.push(names[i]);
    }
    return out;
  }, [names, typed]);
  const choose = (value: string) => {
    const doc = value === "" ? -1 : names.indexOf(value);
    type(value === "" || doc >= 0 ? null : value);
    if (value === "" || doc >= 0) go({ doc });
  };
  return (
    <>
      <label for="doc">Document</label>
      <input
        id="doc"
        list="docs"
        value={shown}
        placeholder="any"
        autocomplete="off"
        onInput={(e) => choose(e.currentTarget.value)}
        onBlur={() => type(null)}
      />
      <datalist id="docs">
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
