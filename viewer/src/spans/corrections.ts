import { idsOf, keyOf, spanOf, type Flag, type Span } from "./flags";
import type { Model } from "./model";

const told = (f: Flag): string => `${f.says}: ${f.gold ? "gold" : "predicted"} ${f.label} ${f.start}-${f.end}${f.note && ` (${f.note})`}`;

/** A document with flags: its text where it may leave the page, all of its gold spans, and what is said of spans. */
export interface Flagged {
  name: string;
  text: string | null;
  gold: Span[];
  flags: Flag[];
}

/**
 * The documents with flags, in the form of Spanscope's own: the spans of gold, and those that it is missing. A span
 * with a flag has it and its note as metadata, and the document lists all flags in words. `adjudicate --into` takes
 * out what is wrong and puts in what is missing. Only a page with full texts gives them.
 */
export function corrected(documents: Flagged[]): string {
  const out = documents.filter(({ flags }) => flags.length).map(({ name, text, gold, flags }) => {
    const by = new Map(flags.map((flag) => [keyOf(flag), flag]));
    const missing = flags.filter((flag) => flag.says === "missing");
    const spans = [...gold, ...missing]
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start || a.end - b.end || Number(b.gold) - Number(a.gold))
      .map((span) => {
        const flag = by.get(keyOf(span));
        const meta = flag && { meta: { flag: flag.says, ...(flag.note && { note: flag.note }) } };
        return { start: span.start, end: span.end, label: span.label, ...meta };
      });
    return JSON.stringify({ id: name, ...(text !== null && { text }), spans, meta: { document: name, corrections: flags.map(told) } });
  });
  return out.concat("").join("\n");
}

/** The corrections of a page of one run, in the order of its documents and spans. */
export function corrections(model: Model, flags: Map<number, Flag>): string {
  const c = model.corpus!;
  const full = model.payload.text === "full";
  const documents = c.raw.names.map((name, doc): Flagged => {
    const ids = [...idsOf(c, doc)];
    const own = ids.flatMap((id) => flags.get(id) ?? []);
    const gold = own.length ? ids.filter((id) => id < c.gold.doc.length).map((id) => spanOf(model, id)) : [];
    return { name, text: full ? (c.raw.texts[doc] ?? null) : null, gold, flags: own };
  });
  return corrected(documents);
}
