import { Golds, Retrieved } from "../passages/open";
import { cutoffAt } from "../passages/model";
import type { Model, View } from "./model";
import { sides } from "./model";

/** The chosen query in both runs: its gold answers, and what either retrieved. */
export function Query({ model, view }: { model: Model; view: View }) {
  const { queries, items, text } = model.payload;
  const at = view.items[view.item];
  const name = items.names[at];
  const shown = queries && at !== undefined ? [0, view.place.run].map((run) => ({ q: queries[run], row: queries[run].names.indexOf(name) })) : [];
  const [first] = shown.filter(({ row }) => row >= 0);
  if (!shown.length) return null;
  const names = sides(model, view);
  return (
    <section class="open card" id="open" data-testid="open" tabIndex={-1} aria-label="Chosen query">
      <h3 class="asked" dir="auto">
        <bdi>{first?.q.asked?.[first.row] ?? name}</bdi>
        {first?.q.asked?.[first.row] && <small> <bdi>{name}</bdi></small>}
      </h3>
      {text === "none" && <p class="note">Texts are not in this file (--text none).</p>}
      {first && <Golds q={first.q} row={first.row} />}
      <div class="both equal">
        {shown.map(({ q, row }, i) =>
          row < 0 ? (
            <p key={i} class="note"><bdi>{names[i]}</bdi>: this query is not in the file, which has the worst of each run.</p>
          ) : (
            <Retrieved key={`${i} ${row} ${view.place.run}`} model={{ q, payload: { text } }} k={cutoffAt(q, q.at)} row={row} name={names[i]} />
          ),
        )}
      </div>
    </section>
  );
}
