import type { Colour } from "./colours";
import type { Corpus } from "./corpus";
import type { Found } from "./filter";
import type { Verdicts } from "./step";
import type { Payload } from "./types";
import type { Links } from "../frame/place";
import type { Names, Place } from "./url";

/** What does not change while the page is open. */
export interface Model {
  payload: Payload;
  names: Names;
  links: Links<Place>;
  corpus: Corpus | null;
  colours: Colour[];
}

/** What the page shows now; every part of the page is derived from this one place. */
export interface View {
  place: Place;
  go: (change: Partial<Place>) => void;
  verdicts: Verdicts | null;
  found: Found | null;
  current: number; // place in found.rows, -1: none
  sides: boolean; // the document side by side
  setSides: (sides: boolean) => void;
  coming: { left: number; lost: boolean }; // texts that a server has still to send
}
