import { units, type Model, type View } from "./model";

export function Slider({ model, view }: { model: Model; view: View }) {
  const { corpus: c } = model;
  const { step } = view.place;
  const last = c.windows.length - 1;
  return (
    <div class="slider">
      <label for="slider">
        Window <strong data-testid="step">{`±${c.windows[step]}`}</strong> {c.windows[step] === 1 ? c.unit : `${c.unit}s`} <kbd>[</kbd> <kbd>]</kbd>
      </label>
      {step !== c.at && (
        <button class="link" onClick={() => view.go({ step: c.at })}>{`back to ±${c.windows[c.at]}`}</button>
      )}
      <div class="rail">
        <input
          id="slider"
          data-testid="slider"
          type="range"
          min={0}
          max={last}
          step={1}
          value={step}
          aria-valuetext={`${units(c.windows[step], c.unit)}${step === c.at ? ", as asked" : ""}`}
          onInput={(event) => view.go({ step: Number(event.currentTarget.value) })}
        />
        <span class="askedtick" style={{ "--at": String(c.at / Math.max(1, last)) }} title={`asked: ±${c.windows[c.at]}`}>asked</span>
      </div>
    </div>
  );
}
