import { memo } from "../frame/memo";
import { InContext, type Extent } from "../spans/context";
import { sign } from "../spans/kinds";
import { about } from "./filter";
import type { Model, View } from "./model";
import { changeSign } from "./signs";
import type { Changed, Corpus, Side } from "./types";

interface Props {
  model: Model;
  view: View;
  row: number;
  place: number;
  total: number;
  chosen: boolean;
}

/** One change in its context: gold over the words, the first run under them, the second below that. */
function Plain({ model, view, row, place, total, chosen }: Props) {
  const changed = model.payload.changed!;
  const c = changed.corpus;
  const own = about(c, row);
  const change = changed.changes[c.rows.change[row]];
  const name = c.names[c.rows.doc[row]];
  const colour = (side: Side) => (own[side] < 0 ? "transparent" : model.colours[c[side].label[own[side]]].name);
  return (
    <div
      id={`row${row}`}
      class="row"
      data-testid="row"
      data-id={row}
      role="option"
      aria-selected={chosen}
      aria-posinset={place + 1}
      aria-setsize={total}
      style={{ "--g": colour("gold"), "--a": colour("a"), "--b": colour("b") }}
      onClick={() => view.go({ sel: row })}
    >
      <span class="glyph" title={change}>{changeSign(change).glyph}</span>
      <span class="hidden">{`${change} `}</span>
      <bdi class="doc" title={name}>{name}</bdi>
      <Words c={c} own={own} doc={c.rows.doc[row]} />
      <span class="pair">
        <bdi>{changed.labels[c.rows.label[row]]}</bdi>
      </span>
      <span class="pair verdicts">{verdicts(changed, row)}</span>
    </div>
  );
}

/** What the first and the second run made of it, in words. */
export function verdicts({ kinds, corpus }: Changed, row: number): string {
  const one = (kind: number) => (kind < 0 ? "∅" : `${sign(kinds[kind]).glyph} ${kinds[kind]}`);
  return `${one(corpus.rows.kind_a[row])} → ${one(corpus.rows.kind_b[row])}`;
}

function Words({ c, own, doc }: { c: Corpus; own: Record<Side, number>; doc: number }) {
  const text = c.texts[doc];
  const sides = (["gold", "a", "b"] as const).filter((side) => own[side] >= 0);
  if (text === null) {
    const names = { gold: "gold", a: "A", b: "B" };
    return <span class="offsets">{sides.map((side) => `${names[side]} ${c[side].start[own[side]]}–${c[side].end[own[side]]}`).join(" · ")}</span>;
  }
  const extent = (side: Side): Extent => (own[side] < 0 ? null : [c[side].start16[own[side]], c[side].end16[own[side]]]);
  return (
    <InContext
      text={text}
      sides={[extent("gold"), extent("a"), extent("b")]}
      draw={({ text, in: [gold, a, b] }, key) => (
        <span key={key} class={b ? "b" : ""}>
          <span class={`${gold ? "g" : ""} ${a ? "a" : ""}`}>{text}</span>
        </span>
      )}
    />
  );
}

/** A row is drawn again only when what it shows has changed. */
export const ChangeRow = memo(Plain, (a, b) => a.row === b.row && a.place === b.place && a.total === b.total && a.chosen === b.chosen);
