/** The payload that Python writes, as it stands in the file. Numbers are finite or null. */
export type Num = number | null;
export type Row = [measure: number, rate: string, average: string, label: string | null, value: Num, low: Num, high: Num, documents: number, undefined_: number];
export type LabelCounts = [tp: number, pred: number, gold: number, precision: Num, recall: Num, f1: Num];

export interface Side {
  doc: number[];
  start: number[];
  end: number[];
  label: number[];
  start16: number[];
  end16: number[];
  score?: Num[];
}

export interface Whole {
  tp: number;
  pred: number;
  gold: number;
  precision: Num;
  recall: Num;
  f1: Num;
  macro_f1: Num;
  kinds: number[];
}

export interface RawCorpus {
  embedded: number;
  total: number;
  names: string[];
  texts: (string | null)[];
  gold: Side;
  pred: Side;
  steps: number[];
  at: number;
  whole: Whole[];
  by_label: LabelCounts[][];
  gold_runs: { first: number[]; from: number[]; kind: number[]; pred: number[] };
  pred_runs: { first: number[]; from: number[]; kind: number[] };
}

export interface Input {
  side: string;
  path: string | null;
  sha256: string | null;
  documents: number;
  spans: number;
}

export interface Payload {
  form: number;
  spanscope: string;
  family: string;
  title: string;
  meta: Record<string, string>;
  text: "full" | "context" | "masked" | "none";
  inputs: Input[];
  documents: number;
  settings: Record<string, unknown>;
  signatures: string[];
  problems: { kind: string; number: number; first: string[] }[];
  ci: { level: number; resamples: number; seed: number; method: string } | null;
  measures: { form: string; short: string; rates: { name: string; best: Num }[] }[];
  headline: number;
  rows: Row[];
  errors: { kind: string; count: number; f1_if_fixed: Num; gain: Num }[];
  confusion: { names: string[]; cells: [gold: number, pred: number, n: number][] } | null;
  leaks: { label: string; kind: string; text: string | null; number: number }[] | null;
  exports: Record<"json" | "csv" | "md" | "tex", string>;
  labels: string[];
  kinds: string[];
  corpus: RawCorpus | null;
}

/** The payload's form this page reads; a newer one is refused with a sentence. */
export const FORM = 1;
