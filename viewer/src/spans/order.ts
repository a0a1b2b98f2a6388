import { docOf, textOf, type Corpus } from "./corpus";
import { alikeOf } from "./finding";
import { sorted } from "../frame/heads";
import type { Model } from "./model";
import { kindOf, pairOf, type Verdicts } from "./step";

/** The words of a finding as they stand in the text: of its gold span, else of the prediction; null: withheld. */
export function surface(c: Corpus, g: number, p: number): string | null {
  const [side, at] = g < 0 ? [c.pred, p] : [c.gold, g];
  const text = side.start[at] < 0 ? (c.raw.unplaced[at] ?? null) : (textOf(c, side.doc[at])?.slice(side.start16[at], side.end16[at]) ?? null);
  return text && text.replace(/\s+/g, " ").trim();
}

/** Both labels of a finding by their codes; the one after the last is none. */
export function codes(model: Model, v: Verdicts, id: number): [gold: number, pred: number] {
  const [g, p] = pairOf(v, id);
  const { gold, pred } = model.corpus!;
  const none = model.payload.labels.length;
  return [g < 0 ? none : gold.label[g], p < 0 ? none : pred.label[p]];
}

type Key = (model: Model, v: Verdicts, id: number) => string | number | null;
const KEYS: Record<string, Key> = {
  kind: (_, v, id) => kindOf(v, id),
  doc: (model, _, id) => docOf(model.corpus!, id),
  text: (model, v, id) => surface(model.corpus!, ...pairOf(v, id))?.toLowerCase() ?? null,
  labels: (model, v, id) => codes(model, v, id).map((code) => model.payload.labels[code] ?? "").join("\0"),
  alike: (model, v, id) => {
    const { score, iou } = alikeOf(model, v, pairOf(v, id)[0]);
    return score ?? iou;
  },
};

/** Findings in the order asked for; among equals, and where nothing is asked, in reading order. */
export function ordered(model: Model, v: Verdicts, rows: Int32Array, sort: string): Int32Array {
  const key = KEYS[sort.replace("-", "")];
  return key ? Int32Array.from(sorted(Array.from(rows, (id) => key(model, v, id)), sort), (at) => rows[at]) : rows;
}

export interface Group {
  name: string;
  id: number; // one of its findings
  count: number;
}

export const BY: Record<string, string> = { text: "text", labels: "labels", kind: "kind", doc: "document" };

/** Findings put together by what they have in common, the largest group first. */
export function groups(model: Model, v: Verdicts, rows: Int32Array, by: string): Group[] {
  const out = new Map<string, Group>();
  const { labels, kinds } = model.payload;
  const name: Record<string, (id: number) => string> = {
    text: (id) => surface(model.corpus!, ...pairOf(v, id)) ?? "",
    labels: (id) => codes(model, v, id).map((code) => labels[code] ?? "∅").join(" → "),
    kind: (id) => kinds[kindOf(v, id)],
    doc: (id) => model.corpus!.raw.names[docOf(model.corpus!, id)],
  };
  for (const id of rows) {
    const own = name[by](id);
    const group = out.get(own);
    if (group) group.count++;
    else out.set(own, { name: own, id, count: 1 });
  }
  return [...out.values()].sort((a, b) => b.count - a.count);
}
