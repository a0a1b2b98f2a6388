import { memo } from "../frame/memo";
import { InContext, type Extent } from "./context";
import { GLYPHS, type Says } from "./flags";
import { rate } from "../frame/format";
import { sign } from "./kinds";
import type { Num } from "../frame/types";
import type { Model, View } from "./model";
import { useText } from "./texts";

interface Props {
  model: Model;
  go: View["go"];
  id: number;
  kind: string;
  g: number; // rows of its spans, -1: none
  p: number;
  place: number;
  total: number;
  chosen: boolean;
  flag: Says | ""; // of its gold span, else of the prediction
  alike: Num; // the score of a pair, else its intersection over union
  tip: string; // all that is known of how alike they are
}

/** One finding in its context: gold drawn over the words, the prediction under them. */
function Plain({ model, go, id, kind, g, p, place, total, chosen, flag, alike, tip }: Props) {
  const { corpus, payload, colours } = model;
  if (!corpus) return null;
  const doc = g >= 0 ? corpus.gold.doc[g] : corpus.pred.doc[p];
  const goldLabel = g >= 0 ? payload.labels[corpus.gold.label[g]] : "∅";
  const predLabel = p >= 0 ? payload.labels[corpus.pred.label[p]] : "∅";
  const colour = {
    "--g": g >= 0 ? colours[corpus.gold.label[g]].name : "transparent",
    "--p": p >= 0 ? colours[corpus.pred.label[p]].name : "transparent",
  };
  return (
    <div
      id={`row${id}`}
      class="row"
      data-testid="row"
      role="option"
      aria-selected={chosen}
      aria-posinset={place + 1}
      aria-setsize={total}
      style={colour}
      onClick={() => go({ sel: id })}
    >
      <span class="glyph" title={kind}>{sign(kind).glyph}{flag && <b class="flag" title={flag}>{GLYPHS[flag]}</b>}</span>
      <span class="kind" title={payload.said[kind]}>{kind}</span>
      <bdi class="doc" title={corpus.raw.names[doc]}>{corpus.raw.names[doc]}</bdi>
      <Words model={model} doc={doc} g={g} p={p} />
      <span class="pair">
        <bdi>{goldLabel}</bdi> → <bdi>{predLabel}</bdi>
      </span>
      <span class="alike" title={tip}>{alike === null ? "" : rate(alike)}</span>
    </div>
  );
}

function Words({ model, doc, g, p }: { model: Model; doc: number; g: number; p: number }) {
  const { gold, pred } = model.corpus!;
  const text = useText(model.corpus!.raw, doc);
  if (p >= 0 && pred.start[p] < 0) return <span class="offsets"><bdi>{model.corpus!.raw.unplaced[p] ?? "a quote"}</bdi>{" (nowhere in the text)"}</span>;
  if (text === undefined) return <span class="offsets">loading …</span>;
  if (text === null) {
    return (
      <span class="offsets">
        {g >= 0 && `gold ${gold.start[g]}–${gold.end[g]}`}
        {g >= 0 && p >= 0 && " · "}
        {p >= 0 && `predicted ${pred.start[p]}–${pred.end[p]}`}
      </span>
    );
  }
  const sides: Extent[] = [g >= 0 ? [gold.start16[g], gold.end16[g]] : null, p >= 0 ? [pred.start16[p], pred.end16[p]] : null];
  return <InContext text={text} sides={sides} draw={({ text, in: [g, p] }, key) => <span key={key} class={`${g ? "g" : ""} ${p ? "p" : ""}`}>{text}</span>} />;
}

/** A row is drawn again only when what it shows has changed: scrolling and stepping touch few of them. */
export const KwicRow = memo(Plain, (a, b) => (Object.keys(a) as (keyof Props)[]).every((key) => a[key] === b[key]));
