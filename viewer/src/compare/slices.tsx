import { useState } from "preact/hooks";
import { count, nounsOf, plural, rate, title } from "../frame/format";
import { Scroll } from "../frame/scroll";
import { average, pValue, signed } from "./format";
import type { Model, View } from "./model";
import { sides } from "./model";
import { readingSign } from "./signs";
import type { SliceLine } from "./types";

const MOST = 20; // slices that are shown before somebody asks for all

/** The slices of the run beside the first: the headline of both, the difference and its test; what lost most first. */
export function Slices({ model, view }: { model: Model; view: View }) {
  const [all, show] = useState(false);
  const { slices, head, measures, family } = model.payload;
  const own = slices?.lines.filter((one) => one.run === view.place.run) ?? [];
  if (!slices || !own.length) return null;
  const [first, second] = sides(model, view);
  const shown = all ? own : own.slice(0, MOST);
  return (
    <section class="card" data-testid="slices">
      <h3>By slice</h3>
      <Scroll name="Differences by slice">
        <table class="differences">
          <caption>{`${title(head.rate)} of ${measures[0].short}, ${average(head.average, family)}; what lost most first`}</caption>
          <thead>
            <tr>
              <th scope="col">By</th>
              <th scope="col">Slice</th>
              <th scope="col" class="num"><bdi>{first}</bdi></th>
              <th scope="col" class="num"><bdi>{second}</bdi></th>
              {["Δ", "Interval", "p"].map((name) => <th key={name} scope="col" class="num">{name}</th>)}
              <th scope="col">Reading</th>
              <th scope="col" class="num">{title(nounsOf(family)[1])}</th>
            </tr>
          </thead>
          <tbody>{shown.map((one) => <Line key={`${one.by} ${one.name}`} one={one} />)}</tbody>
        </table>
      </Scroll>
      {own.length > shown.length && <button class="link" onClick={() => show(true)}>{`Show all ${plural(own.length, "slice")}`}</button>}
      <p class="honest">{slices.note}</p>
    </section>
  );
}

function Line({ one }: { one: SliceLine }) {
  const reading = one.tested ? one.reading : "";
  return (
    <tr data-testid="slice">
      <td class="left"><bdi>{one.by}</bdi></td>
      <th scope="row"><bdi>{one.name}</bdi></th>
      <td>{rate(one.base)}</td>
      <td>{rate(one.value)}</td>
      <td class="delta">{signed(one.difference)}</td>
      <td>{!one.bounded ? "too few" : one.low === null || one.high === null ? rate(null) : `${signed(one.low)} to ${signed(one.high)}`}</td>
      <td title={one.p === null ? "" : `before adjustment ${pValue(one.p)}`}>{one.tested ? pValue(one.adjusted) : "too few"}</td>
      <td class={`left reading ${reading === "no clear difference" ? "unclear" : reading}`}>
        {reading && <span class="glyph" aria-hidden="true">{readingSign(reading)}</span>}{reading}
      </td>
      <td>{count(one.documents)}</td>
    </tr>
  );
}
