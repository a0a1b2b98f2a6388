/** Lane of each interval, 0 nearest the text: short ones first, so that nested spans sit inside their outer ones. */
export function lanes(from: ArrayLike<number>, to: ArrayLike<number>): { lane: Int32Array; count: number } {
  const n = from.length;
  const order = Array.from({ length: n }, (_, i) => i);
  order.sort((a, b) => to[a] - from[a] - (to[b] - from[b]) || from[a] - from[b] || a - b);
  const lane = new Int32Array(n);
  const taken: number[][] = [];
  for (const i of order) {
    let at = 0;
    while (at < taken.length && taken[at].some((j) => meet(from, to, i, j))) at++;
    if (at === taken.length) taken.push([]);
    taken[at].push(i);
    lane[i] = at;
  }
  return { lane, count: taken.length };
}

/** Whether two intervals share a place; an empty one takes one place, since its bar is drawn one character wide. */
function meet(from: ArrayLike<number>, to: ArrayLike<number>, a: number, b: number): boolean {
  return from[a] < Math.max(to[b], from[b] + 1) && from[b] < Math.max(to[a], from[a] + 1);
}

/** How much of a long text is laid out at once. */
export const WINDOW = 12000;

/**
 * The part of a long text that is shown around a place: cut at line ends or blanks where there are any near by,
 * and never inside a surrogate pair.
 */
export function windowOf(text: string, centre: number, size = WINDOW): [from: number, to: number] {
  if (text.length <= size) return [0, text.length];
  let from = Math.max(0, Math.min(centre - (size >> 1), text.length - size));
  let to = Math.min(text.length, from + size);
  if (from > 0) from = cut(text, from);
  if (to < text.length) to = cut(text, to);
  return [from, to];
}

function cut(text: string, at: number): number {
  const back = Math.max(text.lastIndexOf("\n", at), text.lastIndexOf(" ", at));
  if (at - back < 400 && back > 0) return back + 1;
  return whole(text, at);
}

/** The place itself, or one before it where it would part a surrogate pair. */
export function whole(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
