import { sign } from "./kinds";
import { lanesOf, type Mark } from "./pane";

const LANE = 17;

/** A document whose text is withheld: its spans as bars on a ruler of characters. */
export function Ruler({ marks, pick }: { marks: Mark[]; pick: (mark: Mark) => void }) {
  const length = Math.max(1, ...marks.map((m) => m.end));
  const gold = lanesOf(marks.filter((m) => m.gold));
  const pred = lanesOf(marks.filter((m) => !m.gold));
  const middle = Math.max(1, gold.count) * LANE + 8;
  const height = middle + 24 + Math.max(1, pred.count) * LANE + 8;
  return (
    <div class="pane ruler">
      <p class="note">Texts are not in this report. Spans stand at their offsets, gold above and predicted below the ruler.</p>
      <div class="track" style={{ height: `${height}px` }}>
        <div class="scale" style={{ top: `${middle}px` }}>
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <span key={part} style={{ left: `${part * 100}%` }}>{Math.round(part * length)}</span>
          ))}
        </div>
        {marks.map((mark) => {
          const lane = (mark.gold ? gold : pred).of.get(mark.id) ?? 0;
          const top = mark.gold ? middle - (lane + 1) * LANE : middle + 24 + lane * LANE;
          return (
            <div
              key={mark.id}
              class={`mark ${mark.gold ? "gold" : "pred"} ${sign(mark.kind).fill} ${mark.chosen ? "chosen" : ""} ${mark.colour.dotted ? "dotted" : ""}`}
              style={{ left: `${(mark.start / length) * 100}%`, width: `${Math.max(0.4, ((mark.end - mark.start) / length) * 100)}%`, top: `${top}px`, "--c": mark.colour.name }}
              title={`${mark.gold ? "gold" : "predicted"} ${mark.label}, ${mark.start}–${mark.end}: ${mark.kind}`}
              onClick={() => pick(mark)}
            >
              <span>{mark.kind === "correct" ? mark.label : `${sign(mark.kind).glyph} ${mark.label}`}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
