import type { Framed, Num, Texts } from "../frame/types";
import type { Queries } from "../passages/types";
import type { Spans } from "../spans/types";

/** A difference as Python has it; measure, run and reading by their numbers. */
export type Row = [
  measure: number, run: number, rate: string, average: string, label: string | null, reading: number,
  base: Num, value: Num, difference: Num, low: Num, high: Num, p: Num, adjusted: Num, smallest: Num,
  baseDocuments: number, documents: number,
];

export type Spread = [measure: string, rate: string, average: string, label: string | null, run: string, files: number, mean: Num, lowest: Num, highest: Num, deviation: Num, documentsError: Num, filesError: Num, low: Num, high: Num];

export interface Run {
  name: string;
  short: string; // the name without folders
  files: { path: string | null; sha256: string | null; documents: number; spans: number | null; read: boolean }[];
}

/** The headline figure of every document. */
export interface Items {
  names: string[];
  measure: string;
  rate: string;
  best: Num;
  values: Num[][]; // by run
  differences: Num[][]; // by run, from the second on
  readings: Record<string, Int32Array>; // by the number of the run
}

export type Side = "gold" | "a" | "b";

export interface Corpus {
  embedded: number;
  total: number;
  names: string[];
  texts: (string | null)[];
  gold: Spans;
  a: Spans;
  b: Spans;
  rows: Record<"change" | "doc" | "label" | "gold" | "a" | "b" | "kind_a" | "kind_b", Int32Array>;
}

export type Columns = Record<"doc" | "start" | "end" | "label" | "start16" | "end16", Int32Array>;

/** What most runs agree on against gold, those most agreed on first, and gold of their documents. */
export interface Audit {
  systems: string[];
  total: number;
  labels: string[];
  names: string[];
  texts: (string | null)[]; // null also where the changes have the text
  gold: Columns;
  found: Columns;
  kind: string[];
  of: number[]; // runs that have the document
  row: number[]; // the gold span in whose place a suspect stands, -1: none
  votes: number[][]; // the runs that have the suspect, by number
  with_gold: number[][]; // those that have the gold span
}

export interface Changed {
  kinds: string[];
  changes: string[];
  labels: string[];
  measure: string;
  whole: number[]; // by change, over all documents
  by_label: number[][];
  corpus: Corpus;
}

/** The headline of a run in a slice beside that of the first run. */
export interface SliceLine {
  by: string;
  name: string;
  run: number;
  documents: number;
  base: Num;
  value: Num;
  difference: Num;
  low: Num;
  high: Num;
  p: Num;
  adjusted: Num;
  reading: string;
  bounded: boolean; // enough documents for an interval
  tested: boolean;
}

export interface Payload extends Framed {
  meta: Record<string, string>;
  text: Texts;
  runs: Run[];
  gold: { path: string | null; sha256: string | null; spans: number | null };
  documents: number;
  few: number;
  sure: string; // the groups that are resampled, and whether they are too few
  settings: Record<string, unknown>;
  signatures: string[];
  problems: { run: string; kind: string; number: number }[];
  ci: { level: number; resamples: number; seed: number; method: string };
  trials: number;
  exact: boolean;
  readings: string[];
  measures: { form: string; short: string; usual: string[] }[];
  head: { rate: string; average: string };
  rows: Row[];
  spreads: Spread[];
  slices: { lines: SliceLine[]; note: string } | null; // where somebody asked for some
  items: Items;
  changed: Changed | null;
  audit: Audit | null;
  queries: Record<string, Queries> | null; // of passages, by the number of the run
}
