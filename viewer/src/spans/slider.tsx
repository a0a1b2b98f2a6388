import { stepName, type Model, type View } from "./model";

export function Slider({ model, view }: { model: Model; view: View }) {
  const raw = model.payload.corpus;
  if (!raw || raw.steps.length < 2) return null;
  const { step } = view.place;
  const moved = step !== raw.at;
  return (
    <div class="slider">
      <label for="slider">
        Match threshold <strong>{stepName(raw, step)}</strong> <kbd>[</kbd> <kbd>]</kbd>
      </label>
      {moved && (
        <button class="link" onClick={() => view.go({ step: raw.at })}>
          back to {stepName(raw, raw.at)}
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
        aria-valuetext={stepName(raw, step)}
        onInput={(event) => view.go({ step: Number(event.currentTarget.value) })}
      />
    </div>
  );
}
