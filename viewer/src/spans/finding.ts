import { docOf, textOf } from "./corpus";
import { rate } from "../frame/format";
import type { Model } from "./model";
import { kindOf, pairOf, type Verdicts } from "./step";
import type { Num } from "../frame/types";

/** How alike the spans of a pair are; the score is what the threshold is held against. */
export const ALIKE = ["iou", "text", "score"] as const;
export type Alike = Record<(typeof ALIKE)[number], Num>;

/** How alike two spans are, in words; nothing where nothing is known. */
export const told = ({ iou, text, score }: Alike): string =>
  [iou !== null && `IoU ${rate(iou)}`, text !== null && `text ${rate(text)}`, score !== null && `score ${rate(score)}`].filter(Boolean).join(" · ");

/** One span of a finding, as it is written out; without its text where the page may not show texts. */
export interface Side {
  start: Num; // null: it stands nowhere in its document
  end: Num;
  label: string;
  text?: string | null;
}

/** A finding with all that is known of it: what is exported, copied and grouped. */
export interface Finding {
  document: string;
  kind: string;
  gold: Side | null;
  pred: Side | null;
  alike: Alike;
}

const NO: Alike = { iou: null, text: null, score: null };

/** How alike gold span g and its partner are. */
export function alikeOf(model: Model, v: Verdicts, g: number): Alike {
  if (g < 0 || v.partner[g] < 0) return NO;
  const runs = model.corpus!.goldRuns;
  const at = v.run[g];
  const of = (name: keyof Alike) => ((runs[name]?.[at] ?? -1) < 0 ? null : runs[name]![at] / 10000);
  return { iou: of("iou"), text: of("text"), score: of("score") };
}

/** Whether texts may leave the page: with masked and withheld texts nothing of them does. */
export const tells = (model: Model): boolean => ["full", "context"].includes(model.payload.text);

export function sideOf(model: Model, gold: boolean, at: number): Side | null {
  if (at < 0) return null;
  const c = model.corpus!;
  const { doc, start, end, label, start16, end16 } = gold ? c.gold : c.pred;
  const placed = start[at] >= 0;
  const side = { start: placed ? start[at] : null, end: placed ? end[at] : null, label: model.payload.labels[label[at]] };
  if (!tells(model)) return side;
  return { ...side, text: placed ? (textOf(c, doc[at])?.slice(start16[at], end16[at]) ?? null) : gold ? null : (c.raw.unplaced[at] ?? null) };
}

export function findingOf(model: Model, v: Verdicts, id: number): Finding {
  const c = model.corpus!;
  const [g, p] = pairOf(v, id);
  return {
    document: c.raw.names[docOf(c, id)],
    kind: model.payload.kinds[kindOf(v, id)],
    gold: sideOf(model, true, g),
    pred: sideOf(model, false, p),
    alike: alikeOf(model, v, g),
  };
}
