import { plural } from "../frame/format";
import { colours, type Colour } from "../spans/colours";
import type { Ribbon, Spot } from "./corpus";
import type { Corpus, Payload } from "./types";
import type { Place } from "./url";

/** What does not change while the page is open. */
export interface Model {
  payload: Payload;
  corpus: Corpus;
  letters: string[]; // what segmentations are called in short
  gold: boolean; // whether the first segmentation is gold
  colours: (Colour | null)[]; // by label; none for segments that came without one
}

/** What the page shows now. */
export interface View {
  place: Place;
  go: (change: Partial<Place>) => void;
  rows: Int32Array; // the documents listed
  doc: number; // the one drawn, -1: none
  ribbons: Ribbon[];
  spots: Spot[];
  sides: number[]; // marked in the text
}

const UNNAMED = "segment"; // how Python calls segments without a label

export function hues(c: Corpus): (Colour | null)[] {
  const support = c.labels.map(() => 0);
  for (const side of Object.values(c.sides)) side.label?.forEach((label) => label >= 0 && support[label]++);
  c.labels.forEach((label, i) => label === UNNAMED && (support[i] = -1)); // last, so that it takes nobody's colour
  return colours(c.labels, support).map((colour, i) => (c.labels[i] === UNNAMED ? null : colour));
}

/** Methods go by a letter where there is no room for their names. */
export const letter = (n: number): string => (n < 26 ? String.fromCharCode(97 + n) : String(n));

/** How a number of units is said. */
export const units = (n: number, unit: string): string => plural(n, unit);
