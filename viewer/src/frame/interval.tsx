import { rate } from "./format";
import type { Num } from "./types";

/** A value and its interval on a line from 0 to 1; nothing where any of it lies outside. */
export function Interval({ value, low, high }: { value: Num; low: Num; high: Num }) {
  if (value === null || value < 0 || value > 1) return null;
  const known = low !== null && high !== null;
  if (known && (low < 0 || high > 1)) return null;
  const says = known ? `${rate(value)}, interval ${rate(low)} to ${rate(high)}` : rate(value);
  return (
    <svg class="interval" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={says}>
      <title>{says}</title>
      <line class="track" x1="0" x2="100" y1="5" y2="5" />
      {known && <line class="band" x1={low * 100} x2={Math.max(high * 100, low * 100 + 0.5)} y1="5" y2="5" />}
      <line class="tick" x1={value * 100} x2={value * 100} y1="0.5" y2="9.5" />
    </svg>
  );
}
