import { count } from "../frame/format";
import { Drawn, lanesOf, type Mark } from "./pane";

const LANE = 17;
const MOST = 300; // bars drawn: the page stays small for documents with thousands of spans

/** A document whose text is withheld: its spans as bars on a ruler of characters, those about the chosen one. */
export function Ruler({ marks: all, pick }: { marks: Mark[]; pick: (mark: Mark) => void }) {
  const first = Math.max(0, Math.min(all.findIndex((m) => m.chosen) - MOST / 2, all.length - MOST));
  const marks = all.slice(first, first + MOST);
  const start = first ? marks[0].start : 0;
  const length = Math.max(1, ...marks.map((m) => m.end - start));
  const gold = lanesOf(marks.filter((m) => m.gold));
  const pred = lanesOf(marks.filter((m) => !m.gold));
  const middle = Math.max(1, gold.count) * LANE + 8;
  const height = middle + 24 + Math.max(1, pred.count) * LANE + 8;
  const part = (places: number) => `${(100 * places) / length}%`;
  return (
    <div class="pane ruler">
      <p class="note">
        Texts are not in this report. Spans stand at their offsets, gold above and predicted below the ruler
        {marks.length < all.length && `; ${MOST} of ${count(all.length)} are drawn, about the chosen one`}.
      </p>
      <div class="track" style={{ height: `${height}px` }}>
        <div class="scale" style={{ top: `${middle}px` }}>
          {[0, 0.25, 0.5, 0.75, 1].map((at) => (
            <span key={at} style={{ left: `${at * 100}%` }}>{Math.round(start + at * length)}</span>
          ))}
        </div>
        {marks.map((mark) => {
          const lane = (mark.gold ? gold : pred).of.get(mark.id) ?? 0;
          const top = mark.gold ? middle - (lane + 1) * LANE : middle + 24 + lane * LANE;
          const wide = Math.max(0.004 * length, mark.end - mark.start);
          return <Drawn key={mark.id} mark={mark} pick={pick} left={part(mark.start - start)} width={part(wide)} top={`${top}px`} room={Infinity} />;
        })}
      </div>
    </div>
  );
}
