import { idsOf, spanOf } from "./flags";
import type { Model } from "./model";

/** A span in an address: its side, its place, which of several equal ones, and its label. */
export function spanName(model: Model, id: number): [document: string, span: string] {
  const { document, gold, start, end, label, nth } = spanOf(model, id);
  return [document, `${gold ? "gold" : "pred"}:${start}-${end}${nth ? `~${nth + 1}` : ""}:${label}`];
}

/** The span of that name, or -1. */
export function spanNamed(model: Model, document: string, name: string): number {
  const c = model.corpus;
  const doc = c ? c.raw.names.indexOf(document) : -1;
  return doc < 0 ? -1 : (idsOf(c!, doc).find((id) => spanName(model, id)[1] === name) ?? -1);
}
