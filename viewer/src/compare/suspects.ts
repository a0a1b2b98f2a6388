import { sorted } from "../frame/heads";
import { corrected, type Flagged } from "../spans/corrections";
import { keyOf, type Flag, type Flags, type Span } from "../spans/flags";
import type { Audit, Columns, Payload } from "./types";

/** A span as flags name it: "nth" tells equal ones apart. */
export function spanAt(c: Columns, labels: string[], document: string, gold: boolean, at: number): Span {
  let nth = 0;
  for (let i = at - 1; i >= 0 && c.doc[i] === c.doc[at]; i--) {
    if (gold && c.start[i] === c.start[at] && c.end[i] === c.end[at] && c.label[i] === c.label[at]) nth++;
  }
  return { document, gold, start: c.start[at], end: c.end[at], label: labels[c.label[at]], nth };
}

export const foundSpan = (a: Audit, i: number): Span => spanAt(a.found, a.labels, a.names[a.found.doc[i]], false, i);
export const goldSpan = (a: Audit, i: number): Span | null =>
  a.row[i] < 0 ? null : spanAt(a.gold, a.labels, a.names[a.gold.doc[a.row[i]]], true, a.row[i]);

/** The text of a document of suspects: its own, or that of the changes; null where it is withheld. */
export function textOf({ audit: a, changed }: Payload, doc: number): string | null {
  const there = changed?.corpus.names.indexOf(a!.names[doc]) ?? -1;
  return a!.texts[doc] ?? (there < 0 ? null : changed!.corpus.texts[there]);
}

/** The words of a suspect as they stand in the text; null where they are withheld. */
export const words = (p: Payload, i: number): string | null => {
  const { doc, start16, end16 } = p.audit!.found;
  return textOf(p, doc[i])?.slice(start16[i], end16[i]).replace(/\s+/g, " ").trim() ?? null;
};

/** Both labels of a suspect: gold's, where it has one in its place, and the one that systems agree on. */
export const labelsOf = (a: Audit, i: number): [gold: string, found: string] => [
  a.row[i] < 0 ? "∅" : a.labels[a.gold.label[a.row[i]]],
  a.labels[a.found.label[i]],
];

/** A suspect in an address: its document, and the span that systems agree on. */
export function suspectName(a: Audit, i: number): [document: string, span: string] {
  const { document, start, end, label } = foundSpan(a, i);
  return [document, `pred:${start}-${end}:${label}`];
}

/** The suspect of that name, or -1. */
export const suspectNamed = (a: Audit, document: string, span: string): number =>
  a.kind.findIndex((_, i) => a.names[a.found.doc[i]] === document && suspectName(a, i)[1] === span);

interface Asked {
  why: string; // a kind, "": any
  q: string;
  rank: string; // a column, "-" before it for downwards; "": those most agreed on first
}

/** The suspects that pass the filters, in the order asked for. */
export function listed(p: Payload, { why, q, rank }: Asked): number[] {
  const a = p.audit!;
  const word = q.toLowerCase();
  const held = (i: number) => [a.names[a.found.doc[i]], words(p, i) ?? "", ...labelsOf(a, i)].some((one) => one.toLowerCase().includes(word));
  const rows = a.kind.map((_, i) => i).filter((i) => (!why || a.kind[i] === why) && (!word || held(i)));
  const keys: Record<string, (i: number) => string | number | null> = {
    agree: (i) => a.votes[i].length / a.of[i],
    kind: (i) => a.kind[i],
    doc: (i) => a.found.doc[i],
    text: (i) => words(p, i)?.toLowerCase() ?? null,
    labels: (i) => labelsOf(a, i).join("\0"),
  };
  const key = keys[rank.replace(/^-/, "")];
  return key ? sorted(rows.map(key), rank).map((at) => rows[at]) : rows;
}

/** The documents whose gold the page has, with what is flagged in them. */
export function flaggedDocuments(p: Payload, flags: Flags): Flagged[] {
  const { audit: a, changed } = p;
  const all = Object.values(flags);
  const full = p.text === "full";
  const one = (c: Columns, labels: string[], name: string, doc: number, text: string | null): Flagged => {
    const gold: Span[] = [];
    c.doc.forEach((own, at) => own === doc && gold.push(spanAt(c, labels, name, true, at)));
    const known = new Set(gold.map(keyOf));
    const own = all.filter((flag) => flag.document === name && (!flag.gold || known.has(keyOf(flag))));
    return { name, text: full ? text : null, gold, flags: own.sort((x, y) => x.start - y.start || x.end - y.end) };
  };
  const named = new Set(all.map((flag: Flag) => flag.document));
  const rest = (names: string[]) => names.map((name, doc) => ({ name, doc })).filter(({ name }) => named.has(name));
  const first = changed ? rest(changed.corpus.names).map(({ name, doc }) => one(changed.corpus.gold, changed.labels, name, doc, changed.corpus.texts[doc])) : [];
  const there = new Set(first.map(({ name }) => name));
  const second = a ? rest(a.names).filter(({ name }) => !there.has(name)).map(({ name, doc }) => one(a.gold, a.labels, name, doc, textOf(p, doc))) : [];
  return [...first, ...second].filter(({ flags }) => flags.length);
}

export const corrections = (p: Payload, flags: Flags): string => corrected(flaggedDocuments(p, flags));

/** The suspects as they are listed, a line of JSON each, with the names that `Audit.to_dict` uses. */
export function listing(p: Payload, rows: number[]): string {
  const a = p.audit!;
  const texts = ["full", "context"].includes(p.text);
  const side = (span: Span | null, text: string | null) =>
    span && { start: span.start, end: span.end, label: span.label, ...(texts && { text }) };
  const lines = rows.map((i) => {
    const gold = goldSpan(a, i);
    const at = a.row[i];
    const said = gold && (textOf(p, a.gold.doc[at])?.slice(a.gold.start16[at], a.gold.end16[at]) ?? null);
    const found = textOf(p, a.found.doc[i])?.slice(a.found.start16[i], a.found.end16[i]) ?? null;
    const names = (own: number[]) => own.map((n) => a.systems[n]);
    return JSON.stringify({
      document: a.names[a.found.doc[i]], kind: a.kind[i], found: side(foundSpan(a, i), found), gold: side(gold, said),
      systems: names(a.votes[i]), with_gold: names(a.with_gold[i]), of: a.of[i],
    });
  });
  return lines.concat("").join("\n");
}
