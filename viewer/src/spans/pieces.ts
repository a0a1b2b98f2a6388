import { CONTEXT } from "./filter";
import { whole } from "./lanes";

export interface Piece {
  text: string;
  gold: boolean;
  pred: boolean;
}

const LONGEST = 72;

/** Text on one line: every blank, line end or tab as one space of the same length. */
const flat = (text: string): string => text.replace(/\s/g, " ");

/** What stands before and after a finding, and the finding cut where one side begins or ends. */
export function pieces(text: string, gold: [number, number] | null, pred: [number, number] | null) {
  const marks = [...(gold ?? []), ...(pred ?? [])].sort((a, b) => a - b);
  const from = marks[0];
  const to = marks[marks.length - 1];
  const left = whole(text, Math.max(0, from - CONTEXT));
  const right = whole(text, Math.min(text.length, to + CONTEXT));
  const inside = (side: [number, number] | null, a: number, b: number) => side !== null && side[0] <= a && b <= side[1];
  const hit: Piece[] = [];
  let room = LONGEST;
  for (let i = 0; i + 1 < marks.length; i++) {
    const [a, b] = [marks[i], marks[i + 1]];
    if (a === b) continue;
    const share = Math.max(8, room);
    const words = b - a > share ? `${text.slice(a, whole(text, a + share - 1))}…` : text.slice(a, b);
    room -= words.length;
    hit.push({ text: flat(words), gold: inside(gold, a, b), pred: inside(pred, a, b) });
  }
  return {
    // A plain space at the end would be moved to the start: the line runs right to left to be cut on its left.
    before: (left > 0 ? "…" : "") + flat(text.slice(left, from)).replace(/ $/, "\u00a0"),
    hit,
    after: flat(text.slice(to, right)) + (right < text.length ? "…" : ""),
  };
}
