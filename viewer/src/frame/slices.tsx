import { useState } from "preact/hooks";
import { count, NONE, plural, rate, title } from "./format";
import { Interval } from "./interval";
import type { Report, Slice } from "./types";
import { Scroll } from "./scroll";

const MOST = 20; // slices that are shown before somebody asks for all

interface Props {
  payload: Report;
  noun?: string;
  open?: (by: string, name: string) => (() => void) | undefined; // what leads to the errors of a slice
}

/** Slices, the worst first: the figure that leads, its interval, and how it differs from the rest. */
export function Slices({ payload, noun = "Documents", open }: Props) {
  const [all, show] = useState(false);
  if (!payload.slices) return null;
  const { lines, note, tests } = payload.slices;
  const { lead, short } = payload.measures[payload.headline];
  const shown = all ? lines : lines.slice(0, MOST);
  const others = Object.keys(lines[0]?.rates ?? {}).filter((name) => name !== lead.rate);
  const linked = open && lines.some((one) => open(one.by, one.name));
  return (
    <section class="card">
      <h3>Slices</h3>
      <Scroll name="Slices">
        <table class="figures slices">
          <caption>{`${short}, the worst first.${linked ? " Choose a slice to see its errors." : ""}`}</caption>
          <thead>
            <tr>
              <th>By</th>
              <th>Slice</th>
              <th>{title(lead.rate)}</th>
              <th class="wideonly">0 to 1</th>
              <th>Against the rest</th>
              {tests && <th>p</th>}
              {others.map((name) => <th key={name}>{title(name)}</th>)}
              <th>{noun}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => <Line key={`${one.by} ${one.name}`} one={one} others={others} tests={tests} open={open?.(one.by, one.name)} />)}
          </tbody>
        </table>
      </Scroll>
      {lines.length > shown.length && <button class="link" onClick={() => show(true)}>{`Show all ${plural(lines.length, "slice")}`}</button>}
      {note && <p class="note">{note}</p>}
    </section>
  );
}

function Line({ one, others, tests, open }: { one: Slice; others: string[]; tests: boolean; open: (() => void) | undefined }) {
  return (
    <tr>
      <td class="left"><bdi>{one.by}</bdi></td>
      <th>{open ? <button class="link" onClick={open}><bdi>{one.name}</bdi></button> : <bdi>{one.name}</bdi>}</th>
      <td>
        <span>{rate(one.value)}</span>
        {one.low !== null && one.high !== null && <small>{`${rate(one.low, 3)} to ${rate(one.high, 3)}`}</small>}
        {tests && !one.bounded && <small>too few for an interval</small>}
      </td>
      <td class="wideonly"><Interval value={one.value} low={one.low} high={one.high} /></td>
      <td>{signed(one.difference)}</td>
      {tests && <td>{one.tested ? chance(one.adjusted) : "too few"}</td>}
      {others.map((name) => <td key={name}>{rate(one.rates[name])}</td>)}
      <td>{count(one.documents)}</td>
    </tr>
  );
}

const signed = (value: Slice["difference"]): string => (value === null ? NONE : `${value > 0 ? "+" : ""}${rate(value)}`);

/** A p-value; what would round to nothing is said to be smaller than what is shown. */
const chance = (p: Slice["adjusted"]): string => (p !== null && p < 0.0001 ? "<0.0001" : rate(p));
