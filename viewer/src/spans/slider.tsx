import { threshold } from "../frame/format";
import type { Model, View } from "./model";

export function Slider({ model, view }: { model: Model; view: View }) {
  const raw = model.payload.corpus;
  if (!raw || raw.steps.length < 2) return null;
  const { step } = view.place;
  const moved = step !== raw.at;
  return (
    <div class="slider">
      <label for="slider">
        Match threshold <strong>{threshold(raw.steps[step])}</strong> <kbd>[</kbd> <kbd>]</kbd>
      </label>
      {moved && (
        <button class="link" onClick={() => view.go({ step: raw.at })}>
          back to {threshold(raw.steps[raw.at])}
        </button>
      )}
      <input
        id="slider"
        data-testid="slider"
        type="range"
        min={0}
        max={raw.steps.length - 1}
        step={1}
        value={step}
        aria-valuetext={threshold(raw.steps[step])}
        onInput={(event) => view.go({ step: Number(event.currentTarget.value) })}
      />
    </div>
  );
}
