/** Sign and pattern of each kind: what a reader sees besides its name, so that colour is never alone. */
export interface Sign {
  glyph: string;
  fill: "solid" | "dashed" | "hatched";
  says: string;
}

const SIGNS: Record<string, Sign> = {
  correct: { glyph: "✓", fill: "solid", says: "matched" },
  boundary: { glyph: "↔", fill: "dashed", says: "right label, other boundaries" },
  type: { glyph: "≠", fill: "dashed", says: "right boundaries, other label" },
  "boundary+type": { glyph: "⤢", fill: "dashed", says: "overlapping, other label and boundaries" },
  split: { glyph: "÷", fill: "hatched", says: "a further piece of a gold span" },
  merge: { glyph: "∪", fill: "hatched", says: "a gold span under a prediction that belongs to another one" },
  duplicate: { glyph: "‖", fill: "hatched", says: "predicted again" },
  spurious: { glyph: "+", fill: "hatched", says: "predicted, not in gold" },
  missing: { glyph: "−", fill: "hatched", says: "in gold, not predicted" },
};
const OTHER: Sign = { glyph: "·", fill: "solid", says: "not counted" };

export const sign = (kind: string | undefined): Sign => SIGNS[kind ?? ""] ?? OTHER;
export const testid = (kind: string): string => `chip-${kind.replaceAll("+", "-")}`;
