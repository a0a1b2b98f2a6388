import type { ComponentChildren } from "preact";
import { CONTEXT } from "./filter";
import { whole } from "./lanes";

export type Extent = [from: number, to: number] | null;

export interface Piece {
  text: string;
  in: boolean[]; // of each side, whether this piece is within its span
}

const LONGEST = 72;
/** A text whose first letter is written from right to left has its beginnings on the right. */
const LETTER = /\p{L}/u;
const RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Text on one line: every blank, line end or tab as one space of the same length. */
const flat = (text: string): string => text.replace(/\s/g, " ");

/** What stands before and after the spans of several sides, and between them the text cut where one begins or ends. */
export function pieces(text: string, ...sides: Extent[]) {
  const marks = sides.flatMap((side) => side ?? []).sort((a, b) => a - b);
  const from = marks[0];
  const to = marks[marks.length - 1];
  const left = whole(text, Math.max(0, from - CONTEXT));
  const right = whole(text, Math.min(text.length, to + CONTEXT));
  const hit: Piece[] = [];
  let room = LONGEST;
  for (let i = 0; i + 1 < marks.length; i++) {
    const [a, b] = [marks[i], marks[i + 1]];
    if (a === b) continue;
    const share = Math.max(8, room);
    const words = b - a > share ? `${text.slice(a, whole(text, a + share - 1))}…` : text.slice(a, b);
    room -= words.length;
    hit.push({ text: flat(words), in: sides.map((side) => side !== null && side[0] <= a && b <= side[1]) });
  }
  return {
    // A plain space at the end would be moved to the start: the line runs right to left to be cut on its left.
    before: (left > 0 ? "…" : "") + flat(text.slice(left, from)).replace(/ $/, "\u00a0"),
    hit,
    after: flat(text.slice(to, right)) + (right < text.length ? "…" : ""),
  };
}

/** Spans within their text on one line; the caller draws each piece between what stands before and after. */
export function InContext({ text, sides, draw }: { text: string; sides: Extent[]; draw: (piece: Piece, key: number) => ComponentChildren }) {
  const parts = pieces(text, ...sides);
  return (
    <span class="kwic" dir={RIGHT.test(LETTER.exec(text)?.[0] ?? "") ? "rtl" : "ltr"}>
      <span class="before">
        <bdi>{parts.before}</bdi>
      </span>
      <span class="hit" dir="auto">{parts.hit.map(draw)}</span>
      <span class="after">
        <bdi>{parts.after}</bdi>
      </span>
    </span>
  );
}
