import { ends, nice, signed } from "./format";
import { holdsZero, type Line } from "./rows";

const EDGE = 3; // per cent left free at the ends, for half a dot

/** A difference and its interval around zero; filled where the interval does not hold zero. */
export function DifferenceBar({ line, reach, shared }: { line: Line; reach: number; shared: boolean }) {
  const { difference, low, high } = line;
  if (difference === null) return <span class="note">undefined</span>;
  const end = nice(reach);
  const x = (value: number) => `${50 + (value / end) * (50 - EDGE)}%`;
  const known = low !== null && high !== null;
  const clear = holdsZero(line) === false;
  const up = line.reading === "better";
  const way = up || line.reading === "worse" ? line.reading : "";
  const says = `${signed(difference)}${known ? `, interval ${signed(low)} to ${signed(high)}` : ", no interval"}`;
  return (
    <span class="around">
      <svg class={`differ ${clear ? "clear" : ""} ${way}`} role="img" aria-label={says}>
        <title>{says}</title>
        <line class="zero" x1="50%" x2="50%" y1="0" y2="100%" />
        {known && <line class="reach" x1={x(low)} x2={x(high)} y1="50%" y2="50%" />}
        {way ? (
          <svg x={x(difference)} y="50%" overflow="visible"><path class="way" d={up ? "M-6 5h12L0 -6z" : "M-6 -5h12L0 6z"} /></svg>
        ) : (
          <circle cx={x(difference)} cy="50%" r="4.5" />
        )}
      </svg>
      {!shared && <small>{`±${ends(end)}`}</small>}
    </span>
  );
}

/** The ends of the shared scale, above the bars. */
export function Scale({ reach }: { reach: number }) {
  const end = ends(nice(reach));
  return (
    <span class="ends">
      <span>{`−${end}`}</span>
      <span>0</span>
      <span>{`+${end}`}</span>
    </span>
  );
}
