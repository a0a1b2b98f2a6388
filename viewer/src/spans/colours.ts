import type { Payload } from "./types";

const HUES = 8;

export interface Colour {
  name: string; // a CSS variable, so that it follows the theme
  dotted: boolean; // the hue is used a second time
}

/** Colours by descending gold support, ties by name; from the ninth label on hues repeat with a dotted edge. */
export function colours(labels: string[], support: number[]): Colour[] {
  const order = labels.map((_, i) => i);
  order.sort((a, b) => support[b] - support[a] || (labels[a] < labels[b] ? -1 : 1));
  const out: Colour[] = new Array(labels.length);
  order.forEach((label, place) => {
    out[label] = { name: `var(--hue${place % HUES})`, dotted: place >= HUES };
  });
  return out;
}

export function support(p: Payload): number[] {
  const at = p.corpus?.by_label[p.corpus.at];
  return p.labels.map((_, i) => at?.[i]?.[2] ?? 0);
}
