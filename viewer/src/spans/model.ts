import type { Colour } from "./colours";
import type { Corpus } from "./corpus";
import type { Found } from "./filter";
import type { Flag, Says } from "./flags";
import type { Verdicts } from "./step";
import { threshold } from "../frame/format";
import type { Links } from "../frame/place";
import type { Payload, RawCorpus } from "./types";
import type { Names, Place } from "./url";

/** What does not change while the page is open. */
export interface Model {
  payload: Payload;
  names: Names;
  links: Links<Place>;
  corpus: Corpus | null;
  colours: Colour[];
}

/** The rate that leads, of the measure that the errors are about. */
export const lead = (p: Payload): string => p.measures[p.explained].lead.rate;

/** What a step of the slider is called: its threshold, or that it is the exact match. */
export const stepName = (raw: RawCorpus, step: number): string => (raw.exact && step === raw.at ? "exact" : threshold(raw.steps[step]));

/** What the page shows now; every part of the page is derived from this one place. */
export interface View {
  place: Place;
  go: (change: Partial<Place>) => void;
  verdicts: Verdicts | null;
  found: Found | null;
  current: number; // place in found.rows, -1: none
  sides: boolean; // the document side by side
  setSides: (sides: boolean) => void;
  flags: Map<number, Flag>; // by the id of their span
  flag: (id: number, says: Says | null, note?: string) => void;
  coming: { left: number; lost: boolean }; // texts that a server has still to send
}
