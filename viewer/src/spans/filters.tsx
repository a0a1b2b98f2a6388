import { seek } from "../frame/format";
import { useMemo, useState } from "preact/hooks";
import { filtered, type Range } from "./filter";
import { tells } from "./finding";
import { BY } from "./order";
import type { Model, View } from "./model";
import { CLEAR, ends, range } from "./url";

const OFFERED = 40; // names offered while typing: a list of ten thousand would stall the page

/** Label, document and text filters, and the label pair chosen in the matrix. */
export function Bar({ model, view }: { model: Model; view: View }) {
  const { labels, text } = model.payload;
  const { place, go } = view;
  const name = (code: number) => labels[code] ?? "none";
  return (
    <div class="filters" role="search">
      <LabelChoice model={model} view={view} id="label" />
      <Documents model={model} view={view} />
      <label>
        {text === "none" ? "Name" : "Text"}{" "}
        <input id="search" type="search" value={place.q} placeholder={seek("search")} autocomplete="off" onInput={(e) => go({ q: e.currentTarget.value })} />
      </label>
      <Between id="len" name="Length" is={place.len} set={(len) => go({ len })} />
      {model.payload.corpus?.pred.score && <Between id="conf" name="Confidence" step={0.05} is={place.conf} set={(conf) => go({ conf })} />}
      <label>
        {"Group by "}
        <select id="group" value={place.group} onChange={(e) => go({ group: e.currentTarget.value })}>
          <option value="">nothing</option>
          {Object.entries(BY).map(([key, name]) => (key !== "text" || tells(model)) && <option key={key} value={key}>{name}</option>)}
        </select>
      </label>
      {place.is && (
        <button class="pill" onClick={() => go({ is: "" })} aria-label="Any text">
          “{place.is.slice(0, 40)}” ×
        </button>
      )}
      {(view.flags.size > 0 || place.flagged) && (
        <label class="check">
          <input type="checkbox" checked={place.flagged} onChange={(e) => go({ flagged: e.currentTarget.checked })} /> Flagged
        </label>
      )}
      {place.pair && (
        <button class="pill" onClick={() => go({ pair: null })} title="Remove the label pair">
          {name(place.pair[0])} → {name(place.pair[1])} ×<span class="hidden"> Remove the label pair</span>
        </button>
      )}
      {place.slice && <Sliced model={model} view={view} at={place.slice} />}
      {(filtered(place) || place.kinds) && (
        <button class="link" onClick={() => go(CLEAR)}>
          Clear <kbd>Esc</kbd>
        </button>
      )}
    </div>
  );
}

/** The slice whose errors are listed. */
function Sliced({ model, view, at: [way, slice] }: { model: Model; view: View; at: [number, number] }) {
  const { by, names } = model.names.ways[way];
  return (
    <button class="pill" onClick={() => view.go({ slice: null })} title="Remove the slice">
      <bdi>{by}</bdi>: <bdi>{names[slice]}</bdi> ×
    </button>
  );
}

export function LabelChoice({ model, view, id }: { model: Model; view: View; id: string }) {
  return (
    <label>
      {"Label "}
      <select id={id} value={String(view.place.label)} onChange={(e) => view.go({ label: Number(e.currentTarget.value) })}>
        <option value="-1">any</option>
        {model.payload.labels.map((label, i) => (
          <option key={i} value={String(i)}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** A range of numbers, either end open. */
function Between({ id, name, is, set, step = 1 }: { id: string; name: string; is: Range | null; set: (is: Range | null) => void; step?: number }) {
  const typed = ends(is);
  const field = (i: number, says: string) => (
    <input
      id={id + i}
      class="end"
      type="number"
      step={step}
      value={typed[i]}
      placeholder={says}
      aria-label={`${name}, ${says}`}
      onInput={(e) => {
        typed[i] = e.currentTarget.value;
        set(range(typed.join("..")));
      }}
    />
  );
  return (
    <label>
      {name} {field(0, "from")} {field(1, "to")}
    </label>
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
    <label>
      {"Document "}
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
    </label>
  );
}
