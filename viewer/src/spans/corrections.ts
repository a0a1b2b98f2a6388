import { idsOf, type Flag } from "./flags";
import type { Model } from "./model";

const told = (f: Flag): string => `${f.says}: ${f.gold ? "gold" : "predicted"} ${f.label} ${f.start}-${f.end}${f.note && ` (${f.note})`}`;

/**
 * The documents with flags, in the form of Spanscope's own: the spans of gold, and those that it is missing. A span
 * with a flag has it and its note as metadata, and the document lists all flags in words. `adjudicate --into` takes
 * out what is wrong and puts in what is missing. Only a page with full texts gives them.
 */
export function corrections(model: Model, flags: Map<number, Flag>): string {
  const c = model.corpus!;
  const { gold, pred, raw } = c;
  const n = gold.doc.length;
  const out: string[] = [];
  raw.names.forEach((name, doc) => {
    const ids = [...idsOf(c, doc)];
    const own = ids.flatMap((id) => flags.get(id) ?? []);
    if (!own.length) return;
    const spans = ids
      .filter((id) => (id < n ? gold.start[id] >= 0 : flags.get(id)?.says === "missing" && pred.start[id - n] >= 0))
      .map((id) => {
        const [side, at] = id < n ? [gold, id] : [pred, id - n];
        const flag = flags.get(id);
        const meta = flag && { meta: { flag: flag.says, ...(flag.note && { note: flag.note }) } };
        return { start: side.start[at], end: side.end[at], label: model.payload.labels[side.label[at]], ...meta };
      });
    const text = model.payload.text === "full" && raw.texts[doc] != null ? { text: raw.texts[doc] } : {};
    out.push(JSON.stringify({ id: name, ...text, spans, meta: { document: name, corrections: own.map(told) } }));
  });
  return out.concat("").join("\n");
}
