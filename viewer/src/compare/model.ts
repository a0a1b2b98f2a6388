import type { Links } from "../frame/place";
import type { Colour } from "../spans/colours";
import type { Flags } from "../spans/flags";
import type { Flagging } from "../spans/useflags";
import type { Found } from "./filter";
import type { Payload } from "./types";
import type { Names, Place } from "./url";

/** What does not change while the page is open. */
export interface Model {
  payload: Payload;
  names: Names;
  links: Links<Place>;
  colours: Colour[]; // by label of the changes
  hues: Colour[]; // by label of the suspects
}

/** What the page shows now. */
export interface View {
  place: Place;
  go: (change: Partial<Place>) => void;
  found: Found | null; // the changes that are listed
  current: number; // place in found.rows, -1: none
  items: Int32Array; // the documents that are listed
  item: number; // place in items, -1: none
  suspects: number[]; // that are listed
  suspect: number; // place in suspects, -1: none
  flags: Flags;
  flag: (...all: Flagging[]) => void;
}

/** The names of the first run and of the one beside it. */
export const sides = ({ payload }: Model, { place }: View): [string, string] => [payload.runs[0].short, payload.runs[place.run].short];
