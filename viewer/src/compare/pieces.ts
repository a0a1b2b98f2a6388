import { CONTEXT } from "../spans/filter";
import { whole } from "../spans/lanes";

export type Extent = [from: number, to: number] | null;

export interface Piece {
  text: string;
  gold: boolean;
  a: boolean;
  b: boolean;
}

const LONGEST = 72;

/** Text on one line: every blank, line end or tab as one space of the same length. */
const flat = (text: string): string => text.replace(/\s/g, " ");

/** What stands before and after a change, and the change cut where one of the three sides begins or ends. */
export function pieces(text: string, gold: Extent, a: Extent, b: Extent) {
  const marks = [...(gold ?? []), ...(a ?? []), ...(b ?? [])].sort((x, y) => x - y);
  const from = marks[0];
  const to = marks[marks.length - 1];
  const left = whole(text, Math.max(0, from - CONTEXT));
  const right = whole(text, Math.min(text.length, to + CONTEXT));
  const inside = (side: Extent, x: number, y: number) => side !== null && side[0] <= x && y <= side[1];
  const hit: Piece[] = [];
  let room = LONGEST;
  for (let i = 0; i + 1 < marks.length; i++) {
    const [x, y] = [marks[i], marks[i + 1]];
    if (x === y) continue;
    const share = Math.max(8, room);
    const words = y - x > share ? `${text.slice(x, whole(text, x + share - 1))}…` : text.slice(x, y);
    room -= words.length;
    hit.push({ text: flat(words), gold: inside(gold, x, y), a: inside(a, x, y), b: inside(b, x, y) });
  }
  return {
    // A plain space at the end would be moved to the start: the line runs right to left to be cut on its left.
    before: (left > 0 ? "…" : "") + flat(text.slice(left, from)).replace(/ $/, "\u00a0"),
    hit,
    after: flat(text.slice(to, right)) + (right < text.length ? "…" : ""),
  };
}
