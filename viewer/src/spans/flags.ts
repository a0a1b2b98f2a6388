import { docOf, type Corpus } from "./corpus";
import type { Model } from "./model";

/** What a reader says of a span: gold that is wrong, a prediction that gold is missing, or that somebody should look. */
export const SAYS = ["wrong", "missing", "unsure", "discuss"] as const;
export type Says = (typeof SAYS)[number];
export const GLYPHS: Record<Says, string> = { wrong: "✗", missing: "✚", unsure: "?", discuss: "!" };

/** A flag names its span by what it is, so that it holds on the page of every run over the same gold. */
export interface Flag {
  document: string;
  gold: boolean;
  start: number;
  end: number;
  label: string;
  nth: number; // among equal spans
  says: Says;
  note: string;
}

export type Flags = Record<string, Flag>;

export type Span = Omit<Flag, "says" | "note">;
export const keyOf = (s: Span): string => JSON.stringify([s.document, s.gold, s.start, s.end, s.label, s.nth]);

/** The span of an id, as flags name it. */
export function spanOf(model: Model, id: number): Span {
  const c = model.corpus!;
  const gold = id < c.gold.doc.length;
  const side = gold ? c.gold : c.pred;
  const at = gold ? id : id - c.gold.doc.length;
  const same = (i: number) => side.doc[i] === side.doc[at] && side.start[i] === side.start[at] && side.end[i] === side.end[at];
  let nth = 0;
  for (let i = at - 1; i >= 0 && same(i); i--) if (side.label[i] === side.label[at]) nth++;
  return { document: c.raw.names[docOf(c, id)], gold, start: side.start[at], end: side.end[at], label: model.payload.labels[side.label[at]], nth };
}

/** Flags by the ids of this page; those of spans that it does not have are kept, and say nothing here. */
export function flagged(model: Model, flags: Flags): Map<number, Flag> {
  const out = new Map<number, Flag>();
  const c = model.corpus;
  const wanted = new Set(Object.values(flags).map((flag) => flag.document));
  if (!c || !wanted.size) return out;
  c.raw.names.forEach((name, doc) => {
    if (!wanted.has(name)) return;
    for (const id of idsOf(c, doc)) {
      const flag = flags[keyOf(spanOf(model, id))];
      if (flag) out.set(id, flag);
    }
  });
  return out;
}

export const idsOf = (c: Corpus, doc: number): Int32Array => c.order.subarray(c.docFirst[doc], c.docFirst[doc + 1]);

/** Flags are kept under the gold they are about. */
export const shelfOf = (sha256: string | null | undefined, title: string): string => `flags.${sha256 ?? title}`;
export const shelf = ({ payload }: Model): string => shelfOf(payload.inputs[0]?.sha256, payload.title);

/** What was kept, or nothing where that cannot be read. */
export function read(kept: string): Flags {
  try {
    const found = JSON.parse(kept) as Flags;
    return Object.fromEntries(Object.values(found).filter((f) => SAYS.includes(f.says)).map((f) => [keyOf(f), f]));
  } catch {
    return {};
  }
}
