import type { DocumentTable, Num, Report } from "../frame/types";

/** Values of boundaries over the windows: row r has runs first[r] to first[r + 1], each from one step on. */
export interface Runs {
  first: Int32Array;
  from: Int32Array;
  kind: Int32Array; // a number in `kinds`; -1: the method has no such document
}

export interface Marks {
  gold: Runs; // of every gold boundary: exact, near or missed by this method
  pred: Runs & { pair: Int32Array }; // of its own: exact, near or extra, and the gold boundary it is paired with
  whole: [exact: number, near: number, extra: number, missed: number][]; // of all documents, at every window
  figures: [precision: Num, recall: Num, f1: Num, mean: Num][];
}

export interface Side {
  has: Int32Array; // 1 where the segmentation has the document
  first: Int32Array; // where the boundaries of each document start
  at: Int32Array;
  at16: Int32Array; // in the units of JavaScript's strings
  label: Int32Array | null; // of every segment; a document has one more than boundaries
}

export interface Corpus {
  embedded: number;
  total: number;
  names: string[];
  texts: (string | null)[];
  lengths: Int32Array;
  unit: string;
  labels: string[];
  kinds: string[];
  windows: number[];
  at: number; // the step of the window that was asked for
  methods: string[]; // gold first, where there is gold
  sides: Record<string, Side>;
  marks: Record<string, Marks>;
  rate: { measure: string; name: string; best: Num };
  values: Record<string, Num[]>; // by the number of a method, or "mean"
  by_document: DocumentTable;
  orders: Record<string, Int32Array>; // documents, worst first
}

export interface PlainTable {
  title: string;
  heads: string[];
  rows: string[][];
  left: number[];
  note: string;
}

export interface Payload extends Report {
  tables: PlainTable[] | null; // of several segmentations
  letters?: string[]; // theirs, by number
  ranking?: [side: number, value: Num, low: Num, high: Num][]; // the best first
  leading?: string; // the figure they are ranked by
  corpus: Corpus;
}
