import { filtered, wanted, type Filters } from "./filter";
import { count } from "../frame/format";
import { sign, testid } from "./kinds";
import type { Model, View } from "./model";

/** The kinds after a press: one on or off, or only that one; every error again is no filter at all. */
export function toggled(f: Filters, kind: number, kinds: number, only = false): number[] | null {
  const on = wanted(f, kinds);
  if (only) on.fill(0);
  on[kind] = only || !on[kind] ? 1 : 0;
  const chosen = [...on.keys()].filter((k) => on[k]);
  const plain = !f.pair && !on[0] && chosen.length === kinds - 1;
  return plain ? null : chosen;
}

/** Without filters the counts are Python's, over all documents; with filters they count what would be listed. */
export function Chips({ model, view }: { model: Model; view: View }) {
  const { kinds, corpus } = model.payload;
  const { place, found } = view;
  if (!corpus || !found) return null;
  const on = wanted(place, kinds.length);
  const counts = filtered(place) ? found.counts : corpus.whole[place.step].kinds;
  const chip = (kind: string, k: number) => (
    <button
      key={kind}
      class="chip"
      data-testid={testid(kind)}
      aria-pressed={on[k] === 1}
      title={`${model.payload.said[kind]}. Shift: only this kind`}
      onClick={(event) => view.go({ kinds: toggled(place, k, kinds.length, event.shiftKey) })}
    >
      <kbd>{k}</kbd>
      <span class="glyph">{sign(kind).glyph}</span>
      <span>{kind}</span> <span class="n">{counts[k]}</span>
    </button>
  );
  return (
    <div class="chips" role="group" aria-label="Kinds of finding">
      {kinds.map((kind, k) => (k ? chip(kind, k) : null))}
      {chip(kinds[0], 0)}
      <span class="hits" role="status">
        {count(found.rows.length)} listed
      </span>
    </div>
  );
}
