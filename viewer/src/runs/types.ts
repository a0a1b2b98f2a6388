import type { Framed, Num } from "../frame/types";

export interface Choice {
  name: string;
  says: string;
}

/** An option that the form shows on request, as it is declared. */
export interface Option {
  name: string;
  title: string;
  says: string;
  form: "text" | "list" | "repeated" | "pairs" | "pair list" | "cutoffs" | "steps" | "whole" | "number" | "flag";
  usual: string;
  example: string;
  choices: string[];
  families: string[];
  sides: boolean; // gold and predictions can have it of their own
  group: "reading" | "scoring";
}

/** What stands instead of a page that is not there. */
export interface Gone extends Wrong {
  restore: string | null; // the run that can be had back
}

/** What the server tells once: what there is to choose from. */
export interface Payload extends Framed {
  protocols: (Choice & { measures: string[] })[];
  measures: (Choice & { threshold: number | null })[];
  texts: string[];
  further: Option[];
  told: Gone | null;
  limits: { upload: number; said: string; total: string; days: number; undo: number }; // days 0: until it stops
  kept: string; // the folder in which the server remembers
}

export interface File_ {
  id: string;
  name: string;
  size: number;
  modified: number; // seconds since 1970
  looks: "gold" | "pred" | "result" | "data";
}

export interface Wrong {
  kind: string;
  what: string;
  where: string;
  expected: string;
  hint: string;
  tries?: Try[];
}

/** A change of the form that an error proposes; where only the reader knows the value, the field is opened. */
export interface Try {
  say: string;
  option: string;
  value: string | null;
  begun: string;
}

/** What a job was asked: files by their ids, and options. */
export interface Asked {
  gold?: string | null;
  pred?: string | null;
  name?: string;
  options?: Record<string, unknown>;
}

export interface Figure {
  measure: string;
  rate: string;
  average: string;
  value: Num;
  low: Num;
  high: Num;
  better?: "higher" | "lower" | null;
}

export interface Job {
  id: string;
  kind: "score" | "result" | "compare" | "report";
  name: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  stage: string;
  at: number;
  of: number;
  error: Wrong | null;
  page: string | null;
  asked: Asked;
}

export interface Run {
  id: string;
  name: string;
  family: string;
  note: string;
  figure: Figure | null;
  figures: Figure[];
  gold: string | null; // what gold is, by its bytes
  documents: number;
  when: number;
  line: string;
  inputs: string[];
  text: string;
  opens: boolean;
  closed: string | null; // why it cannot be opened here
  alike: string | null; // runs with the same one can be compared
}

export interface Lists {
  files: File_[];
  more: boolean;
  there: boolean; // whether the folder can be read
  uploads: File_[];
  runs: Run[];
  used: string;
  deleted: { id: string; name: string; gone: number }[]; // those that can be had back
  jobs: Job[];
}
