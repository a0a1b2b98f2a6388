import type { Coded, Num, Report } from "../frame/types";

/** A rate, with its measure at each cutoff, or the one measure that has no cutoff or its own. */
export interface Column {
  rate: string;
  main: number; // its place among the rates shown first, -1: not among them
  k: number | null; // the cutoff of a measure that stays as it is
  measures: number[];
}

export interface Golds {
  edges: Int32Array; // where each query's begin
  text: Int32Array; // numbers of strings, as file, name and normal; -1: none
  file: Int32Array;
  start: Int32Array;
  end: Int32Array;
  name: Int32Array;
  grade: ArrayLike<number>; // a list where some have fractions
  group: Int32Array; // answers of one group are wordings of the same
  normal: Int32Array;
}

export interface Passages extends Omit<Golds, "group"> {
  rank: Int32Array;
  state: Int32Array; // as STATES
  from: Int32Array; // characters left out before the text
  left: Int32Array; // and after it
  shared: Int32Array;
  wanted: Int32Array;
  size: Int32Array;
  score: Num[];
  precision: Coded | null;
  recall: Coded | null;
}

export interface Links {
  edges: Int32Array; // where each passage's begin
  gold: Int32Array; // the group of the answer
  how: Int32Array;
  start: Int32Array;
  end: Int32Array;
  alike: Num[] | null;
}

export interface Queries {
  embedded: number;
  total: number;
  names: string[];
  asked: (string | null)[] | null; // what they ask, where they have names besides
  rule: string;
  kind: string;
  hows: string[];
  cutoffs: number[];
  at: number;
  columns: Column[];
  head: number;
  figures: Record<string, Coded>; // by measure and rate: "0.recall"
  gold_number: Int32Array;
  pred_number: Int32Array;
  first: Int32Array; // rank of the first passage that holds an answer, 0: none
  due: Int32Array; // 1: the query has something to find
  firsts: [low: number, high: number, number: number][] | null;
  gold: Golds;
  passages: Passages;
  links: Links;
  strings: string[];
  no_answer: Num[] | null;
  emptied: Int32Array;
}

export interface Payload extends Report {
  queries: Queries;
}

/** What a passage brings: glyph and word, by its state. */
export const STATES = [
  { name: "none", glyph: "□", word: "holds no gold answer" },
  { name: "new", glyph: "■", word: "holds a gold answer" },
  { name: "again", glyph: "▣", word: "holds one that was found above already" },
  { name: "judged", glyph: "⊟", word: "judged not relevant" },
] as const;
