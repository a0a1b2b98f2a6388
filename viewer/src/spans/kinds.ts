/** Sign and pattern of each kind: what a reader sees besides its name, so that colour is never alone. */
export interface Sign {
  glyph: string;
  fill: string;
}

const SIGNS: Record<string, [glyph: string, fill: string]> = {
  correct: ["✓", "solid"],
  boundary: ["↔", "dashed"],
  type: ["≠", "dashed"],
  "boundary+type": ["⤢", "dashed"],
  text: ["≁", "dashed"],
};
const ALONE: Record<string, string> = { split: "÷", merge: "∪", duplicate: "‖", spurious: "+", missing: "−" };

export function sign(kind: string | undefined): Sign {
  const [glyph, fill] = SIGNS[kind ?? ""] ?? (kind && ALONE[kind] ? [ALONE[kind], "hatched"] : ["·", "solid"]);
  return { glyph, fill };
}
export const testid = (kind: string): string => `chip-${kind.replaceAll("+", "-")}`;
