import { fromRight } from "./names";

/** Where a piece of a span stands. Its verdict is looked up when it is drawn: a step of the slider moves nothing. */
export interface Bar<I> {
  id: I;
  key: string;
  left: number;
  top: number;
  width: number;
  head: boolean; // the first piece of its span: it carries the name
  right: boolean; // the span is read from the right, and has its name there
}

export const LANE = 15;
const BAR = 13;
export const LETTERS = 24; // height of the letters themselves

/**
 * Bars from the rectangles the browser gives for each span: one for each line it runs over. `above` tells those that
 * stand above the letters, `far` how many pixels from them.
 */
export function place<I, M extends { id: I; from: number; to: number }>(
  words: HTMLElement, from: number, to: number, marks: M[], above: (mark: M) => boolean, far: (mark: M) => number,
): Bar<I>[] {
  const node = words.firstChild as Text | null;
  if (!node) return [];
  const home = words.getBoundingClientRect();
  const range = document.createRange();
  const out: Bar<I>[] = [];
  for (const mark of marks) {
    const [start, end] = [Math.max(0, mark.from - from), Math.min(to, Math.max(mark.to, mark.from)) - from];
    range.setStart(node, start);
    range.setEnd(node, end);
    const right = fromRight(node.data.slice(start, end));
    let head = true;
    // Blanks swallowed at a line's end come as slivers; a span of nothing else still gets its first one.
    const boxes = joined([...range.getClientRects()]);
    const wide = boxes.filter((box) => box.width >= 1);
    for (const box of wide.length ? wide : boxes.slice(0, 1)) {
      const top = above(mark) ? box.top - home.top - BAR - 1 - far(mark) : box.bottom - home.top + 1 + far(mark);
      out.push({ id: mark.id, key: `${mark.id}.${out.length}`, left: box.left - home.left, top, width: Math.max(4, box.width), head, right });
      head = false;
    }
  }
  return out;
}

type Box = Pick<DOMRect, "left" | "right" | "top" | "bottom" | "width">;

/** Rectangles without cuts: browsers give the blank at the end of a line one of its own. */
export function joined(boxes: Box[]): Box[] {
  const out: Box[] = [];
  for (const box of boxes) {
    const last = out[out.length - 1];
    const touch = last && Math.abs(last.top - box.top) < 1 && (Math.abs(last.right - box.left) < 1 || Math.abs(last.left - box.right) < 1);
    if (!touch) out.push(box);
    else {
      const [left, right] = [Math.min(last.left, box.left), Math.max(last.right, box.right)];
      out[out.length - 1] = { left, right, width: right - left, top: last.top, bottom: last.bottom };
    }
  }
  return out;
}

/** How much of a bar its name may take: the rest is its edges. */
export const roomOf = (bar: { width: number }): number => bar.width - 9;
