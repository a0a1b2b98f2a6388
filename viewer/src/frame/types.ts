/** What every report's payload holds, as Python writes it. Numbers are finite or null. */
export type Num = number | null;
export type Row = [measure: number, rate: string, average: string, label: string | null, value: Num, low: Num, high: Num, documents: number, undefined_: number];

/** The rate and the average of a measure that lead. */
export interface Lead {
  rate: string;
  average: string;
}

export interface Input {
  side: string;
  path: string | null;
  sha256: string | null;
  documents: number;
  spans: number | null;
}

/** What the frame around a page needs to know. */
export interface Framed {
  form: number;
  spanscope: string;
  family: string;
  title: string;
  line: string; // the signature that stands under the title
  exports: Record<string, string>; // by the ending of the file
  date?: string; // when the page was written
  command?: string; // the command that wrote it
  home: string | null; // where the other runs are, when a server shows the page
}

/** Values by number: the different ones, their order from worst to best, and which one each row has (-1: none). */
export interface Coded {
  values: number[];
  tier: Int32Array;
  at: Int32Array;
}

/** Figures and counts of every document in the page: heads, and by their number what stands under them. */
export interface DocumentTable {
  columns: { name: string; of: string; what: "rate" | "count" | "kind"; best: Num }[];
  cells: Record<string, Coded | Int32Array>;
}

export type Texts = "full" | "context" | "masked" | "none";

/** A slice: a part of the documents or spans, its figures, and how it differs from the rest. */
export interface Slice {
  by: string;
  name: string;
  documents: number;
  rates: Record<string, Num>;
  value: Num; // of the rate that leads
  rest: Num;
  difference: Num;
  low: Num;
  high: Num;
  adjusted: Num; // p of the difference, for being one of several
  bounded: boolean; // enough for an interval
  tested: boolean; // enough for a test
}

export interface Report extends Framed {
  meta: Record<string, string>;
  text: Texts;
  inputs: Input[];
  documents: number;
  settings: Record<string, unknown>;
  signatures: string[];
  problems: { kind: string; number: number; first: string[] }[];
  ci: { level: number; resamples: number; seed: number; method: string } | null;
  sure: string; // how far intervals can be trusted: groups that are resampled, or too few documents
  measures: { form: string; short: string; rates: { name: string; best: Num }[]; lead: Lead }[];
  headline: number; // the measure of the figure that leads
  rows: Row[];
  slices: { lines: Slice[]; note: string; tests: boolean } | null; // the worst first
}

/** The payload's form these pages read; a newer one is refused with a sentence. */
export const FORM = 2;
