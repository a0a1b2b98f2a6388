import { classOf, depth, lanesOf, type Mark } from "./pane";

const LANE = 15;
const SCALE = 24;

/** A document whose text is withheld: its spans as bars on a ruler of characters. */
export function Ruler({ marks, pick }: { marks: Mark[]; pick: (mark: Mark) => void }) {
  const length = Math.max(1, ...marks.map((m) => m.end));
  const layout = lanesOf(marks);
  const middle = layout.count.gold * LANE + 8;
  const height = middle + SCALE + (layout.count.a + layout.count.b) * LANE + 12;
  return (
    <div class="pane ruler" tabIndex={0} role="group" aria-label="Spans of gold and of both runs at their offsets">
      <p class="note">Texts are not in this file. Spans stand at their offsets, gold above and both runs below the ruler.</p>
      <div class="track" style={{ height: `${height}px` }}>
        <div class="scale" style={{ top: `${middle}px` }}>
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <span key={part} style={{ left: `${part * 100}%` }}>{Math.round(part * length)}</span>
          ))}
        </div>
        {marks.map((mark) => (
          <div
            key={mark.id}
            class={classOf(mark)}
            style={{
              left: `${(mark.start / length) * 100}%`,
              width: `${Math.max(0.4, ((mark.end - mark.start) / length) * 100)}%`,
              top: `${mark.side === "gold" ? middle - LANE - depth(mark, layout) : middle + SCALE + 1 + depth(mark, layout)}px`,
              "--c": mark.colour.name,
            }}
            title={mark.says}
            onClick={() => pick(mark)}
          >
            <span>{mark.sign + mark.label}</span>
          </div>
        ))}
      </div>
    </div>
  );
}
