/** Signs of changes and of readings: what a reader sees besides the words. */
export interface Sign {
  glyph: string;
  fill: "solid" | "dashed" | "hatched";
  says: string;
}

const CHANGES: Record<string, Sign> = {
  fixed: { glyph: "▲", fill: "dashed", says: "gold spans that only the second run has right" },
  broken: { glyph: "▼", fill: "dashed", says: "gold spans that only the first run has right" },
  "both wrong": { glyph: "×", fill: "hatched", says: "gold spans that neither run has right" },
  "both right": { glyph: "✓", fill: "solid", says: "gold spans that both runs have right" },
  "spurious gone": { glyph: "△", fill: "hatched", says: "predictions without a gold span, of the first run only" },
  "spurious new": { glyph: "▽", fill: "hatched", says: "predictions without a gold span, of the second run only" },
  "spurious in both": { glyph: "+", fill: "hatched", says: "predictions without a gold span, of both runs" },
};
const OTHER: Sign = { glyph: "·", fill: "solid", says: "" };

export const changeSign = (change: string | undefined): Sign => CHANGES[change ?? ""] ?? OTHER;

const READINGS: Record<string, string> = { better: "▲", worse: "▼", higher: "↑", lower: "↓", same: "=", undefined: "–" };
export const readingSign = (reading: string): string => READINGS[reading] ?? "○";
export const testid = (change: string): string => `chip-${change.replaceAll(" ", "-")}`;
