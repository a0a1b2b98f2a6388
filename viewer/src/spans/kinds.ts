/** Sign and pattern of each kind: what a reader sees besides its name, so that colour is never alone. */
export interface Sign {
  glyph: string;
  fill: "solid" | "dashed" | "hatched";
  says: string;
}

const FILLS = ["solid", "dashed", "hatched"] as const;
type Line = [glyph: string, fill: 0 | 1 | 2, says: string];

const SIGNS: Record<string, Line> = {
  correct: ["✓", 0, "matched"],
  boundary: ["↔", 1, "right label, other boundaries"],
  type: ["≠", 1, "right boundaries, other label"],
  "boundary+type": ["⤢", 1, "overlapping, other label and boundaries"],
  split: ["÷", 2, "a further piece of a gold span"],
  merge: ["∪", 2, "a gold span under a prediction that belongs to another one"],
  duplicate: ["‖", 2, "predicted again"],
  spurious: ["+", 2, "predicted, not in gold"],
  missing: ["−", 2, "in gold, not predicted"],
  text: ["≁", 1, "right label and boundaries, other text"],
};
const OTHER: Line = ["·", 0, "not counted"];

export function sign(kind: string | undefined): Sign {
  const [glyph, fill, says] = SIGNS[kind ?? ""] ?? OTHER;
  return { glyph, fill: FILLS[fill], says };
}
export const testid = (kind: string): string => `chip-${kind.replaceAll("+", "-")}`;
