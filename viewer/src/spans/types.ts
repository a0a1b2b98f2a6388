import type { DocumentTable, Num, Report } from "../frame/types";

export type LabelCounts = [tp: number, pred: number, gold: number, precision: Num, recall: Num, value: Num, fp: number, fn: number]; // value: of the rate that leads

export interface Spans {
  doc: Int32Array;
  start: Int32Array; // offsets in characters (code points)
  end: Int32Array;
  label: Int32Array;
  start16: Int32Array; // offsets into the shown text, in UTF-16 units
  end16: Int32Array;
  score?: Num[] | null;
}

export interface Runs {
  first: Int32Array;
  from: Int32Array;
  kind: Int32Array;
  pred?: Int32Array;
  iou?: Int32Array; // how alike the spans of a pair are, in ten thousandths; -1: no such figure
  text?: Int32Array;
  score?: Int32Array;
}

export interface Whole {
  tp: number;
  pred: number;
  gold: number;
  precision: Num;
  recall: Num;
  value: Num; // of the rate that leads
  macro: Num;
  kinds: number[];
}

/** The interval of the rate that leads, at some steps. */
export interface Band {
  at: number[];
  low: Num[];
  high: Num[];
}

/** A way to slice, and the number of the slice of each document, or of each span; -1: in none. */
export interface Way {
  by: string;
  names: string[];
  meant: number[]; // kinds of findings in which a prediction counts with its gold span
  doc: Int32Array | null;
  gold: Int32Array | null;
  pred: Int32Array | null;
}

export interface RawCorpus {
  embedded: number;
  total: number;
  names: string[];
  texts: (string | null | undefined)[]; // undefined: still to come from the server
  served?: number[]; // first document of each chunk of texts that a server sends later, and one more
  gold: Spans;
  pred: Spans;
  unplaced: Record<number, string | null>; // the words of predictions that stand nowhere in their document
  steps: number[];
  at: number;
  moved: string | null; // the measure whose threshold the slider moves
  exact: boolean; // the last step is the exact match itself
  whole: Whole[];
  by_label: LabelCounts[][];
  band: Band | null;
  gold_runs: Runs;
  pred_runs: Runs;
  ways: Record<number, Way>; // columns stand in objects only
}

/** Characters leaked, of all in gold; spans uncovered, partly covered, of all in gold; characters redacted beyond PII, of all redacted. */
export type LeakCounts = [leaked: number, characters: number, uncovered: number, partly: number, gold: number, over: number, redacted: number];

/** A gold span that stays readable, or a prediction that covers more than PII. */
export interface Leak {
  label: string;
  kind: string;
  text: string | null;
  left: string | null; // what stays readable, or what is no PII
  characters: number;
  number: number; // how often it reads so
  document: string;
  span: number; // its row among gold or predicted spans
}

export interface Leaked {
  measure: number;
  whole: LeakCounts;
  counts: [label: string, ...counts: LeakCounts][];
  lines: Leak[];
  over_wide: Leak[];
}

/** A quote that has no place in its document, beside the passage nearest to it. */
export interface Lost {
  document: string;
  doc: number; // among the documents of the page, -1: not in it
  label: string;
  status: string;
  why: string;
  quote: string | null;
  nearest: [start: number, end: number] | null;
  diff: [in_: "both" | "quote" | "text", words: string][] | null;
}

export interface Quotes {
  counts: Record<string, number>;
  as_given: Num; // the headline with the offsets that the quotes came with
  shares: { label: string | null; number: number; items: number; share: [value: Num, low: Num, high: Num] }[];
  lines: Lost[];
}

export interface Payload extends Report {
  errors: { kind: string; count: number; f1_if_fixed: Num; gain: Num }[];
  confusion: { names: string[]; cells: [gold: number, pred: number, n: number][] } | null;
  leaks: Leaked | null;
  quotes: Quotes | null;
  overall: string; // what the overall figures are, where they are not those of labels
  explained: number; // the measure that the errors are about
  beside: number | null; // the measure that stands beside it in the table of labels
  labels: string[];
  kinds: string[];
  said: Record<string, string>; // the kinds in words
  corpus: RawCorpus | null;
  by_document: DocumentTable;
}
