import type { Framed, Num } from "../frame/types";

export interface Choice {
  name: string;
  says: string;
}

/** What the server tells once: what there is to choose from. */
export interface Payload extends Framed {
  protocols: (Choice & { measures: string[] })[];
  measures: (Choice & { threshold: number | null })[];
  texts: string[];
  limits: { upload: number; runs: number; said: string };
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
}

export interface Run {
  id: string;
  name: string;
  family: string;
  figure: { measure: string; rate: string; average: string; value: Num; low: Num; high: Num } | null;
  documents: number;
  when: number;
  line: string;
  inputs: string[];
  text: string;
  opens: boolean;
  alike: string | null; // runs with the same one can be compared
}

export interface Lists {
  files: File_[];
  more: boolean;
  there: boolean; // whether the folder can be read
  uploads: File_[];
  runs: Run[];
  jobs: Job[];
}
