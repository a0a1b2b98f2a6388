/** How a name is written where there is little room: in full, shortened in the middle, as its initials or the first of them, or not at all. */

const LEAST = 6; // letters, the sign of shortening among them: what is shorter says less than initials do
const FONT = "600 10px system-ui, sans-serif"; // as in the style of .mark
const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const WORD = /\p{Lu}?\p{Ll}+|\p{Lu}+|\d+|\p{L}/gu;

let pen: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();

function measure(text: string): number {
  let width = widths.get(text);
  if (width === undefined) {
    pen ??= document.createElement("canvas").getContext("2d")!;
    pen.font = FONT;
    widths.set(text, (width = pen.measureText(text).width));
  }
  return width;
}

/** The first letter of every word, and numbers whole: Label_053_Person is L053P. */
export const initials = (name: string): string => (name.match(WORD) ?? []).map((word) => (/\d/.test(word) ? word : [...word][0].toUpperCase())).join("");

/** A name behind its sign, as much of it as fits into so many pixels. */
export function fit(name: string, sign: string, room: number, width = measure): string {
  const letters = [...name];
  for (let n = letters.length; n >= Math.min(LEAST, letters.length); n--) {
    const head = Math.ceil((n - 1) / 2);
    const short = n === letters.length ? name : `${letters.slice(0, head).join("")}…${letters.slice(letters.length - n + 1 + head).join("")}`;
    if (width(sign + short) <= room) return sign + short;
  }
  for (let short = initials(name); short.length > 1 || short === initials(name); short = short.slice(0, -1)) {
    if (width(sign + short) <= room) return sign + short;
  }
  return width(sign.trim()) <= room ? sign.trim() : "";
}

/** Whether a span begins at its right. */
export function fromRight(words: string): boolean {
  return RTL.test(/\p{L}/u.exec(words)?.[0] ?? "");
}
