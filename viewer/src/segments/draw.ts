/** Paths of a ribbon. One path holds all marks of a kind, so that a long text costs no more elements than a short one. */
export interface Range {
  from: number; // pixels: what is drawn
  to: number;
  scale: number; // pixels a unit of text
}

const CLOSE = 1.5; // pixels: narrower segments are drawn together
const APART = 2; // pixels: marks of a kind nearer to each other are one
const R = 3.7;

const round = (x: number): number => Math.round(x * 10) / 10;

/** First index whose value is not below the one asked for. */
export function search(values: ArrayLike<number>, wanted: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Piece {
  x: number;
  width: number;
  segment: number; // the first segment in it
  odd: boolean;
}

/** The segments within a range, the very narrow ones put together. */
export function pieces(at: ArrayLike<number>, length: number, { from, to, scale }: Range): Piece[] {
  const out: Piece[] = [];
  if (length <= 0) return out;
  let i = search(at, from / scale);
  let x = i > 0 ? at[i - 1] * scale : 0;
  let segment = i;
  for (; i <= at.length && x < to; i++) {
    const end = (i < at.length ? at[i] : length) * scale;
    if (end - x < CLOSE && i < at.length) continue;
    out.push({ x: round(x), width: Math.max(0.5, round(end - x)), segment, odd: out.length ? !out[out.length - 1].odd : segment % 2 === 1 });
    x = end;
    segment = i + 1;
  }
  return out;
}

/** Places of a kind within a range, in pixels, those that would cover each other once. */
export function places(at: ArrayLike<number>, wanted: (i: number) => boolean, { from, to, scale }: Range): number[] {
  const out: number[] = [];
  for (let i = search(at, from / scale); i < at.length && at[i] * scale <= to; i++) {
    const x = round(at[i] * scale);
    if (wanted(i) && (!out.length || x - out[out.length - 1] >= APART)) out.push(x);
  }
  return out;
}

/** Bands of the window to both sides of each place, within the text; bands that meet are one. */
export function halos(at: ArrayLike<number>, length: number, window: number, { from, to, scale }: Range): [x: number, width: number][] {
  const out: [number, number][] = [];
  for (let i = search(at, from / scale - window); i < at.length && (at[i] - window) * scale <= to; i++) {
    const low = round(Math.max(0, at[i] - window) * scale);
    const high = Math.max(low + 1, round(Math.min(length, at[i] + window) * scale));
    const last = out[out.length - 1];
    if (last && low <= last[0] + last[1]) last[1] = Math.max(last[1], round(high - last[0]));
    else out.push([low, round(high - low)]);
  }
  return out;
}

export const rects = (found: [x: number, width: number][], y: number, height: number): string =>
  found.map(([x, width]) => `M${x} ${y}h${width}v${height}h${-width}z`).join("");
export const discs = (xs: number[], y: number): string => xs.map((x) => `M${round(x - R)} ${y}a${R} ${R} 0 1 0 ${2 * R} 0a${R} ${R} 0 1 0 ${-2 * R} 0z`).join("");
export const halves = (xs: number[], y: number): string => xs.map((x) => `M${x} ${round(y - R)}a${R} ${R} 0 0 0 0 ${2 * R}z`).join("");
export const pluses = (xs: number[], y: number): string => xs.map((x) => `M${round(x - R)} ${y}h${2 * R}M${x} ${round(y - R)}v${2 * R}`).join("");
export const minuses = (xs: number[], y: number): string => xs.map((x) => `M${round(x - R)} ${y}h${2 * R}`).join("");
export const lines = (xs: number[], y: number, height: number): string => xs.map((x) => `M${x} ${y}v${height}`).join("");
