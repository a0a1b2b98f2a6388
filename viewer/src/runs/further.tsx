import type { Option, Payload } from "./types";
import type { Place } from "./url";
import { calledOf } from "./values";

const SIDES = { "": "both sides", gold_: "gold alone", pred_: "predictions alone" };
const GROUPS = { reading: "Reading the files", scoring: "Joining and scoring" };

export interface FurtherProps {
  payload: Payload;
  place: Place;
  go: (change: Partial<Place>) => void;
  open: boolean;
  setOpen: (open: boolean) => void;
  side: string; // "", "gold_" or "pred_": of whom the options of reading are shown
  setSide: (side: string) => void;
}

/** All that is rarely needed: how files are read, also of one side alone, and how they are joined and scored. */
export function Further({ payload, place, go, open, setOpen, side, setSide }: FurtherProps) {
  const set = (name: string, typed: string) => {
    const { [name]: _, ...rest } = place.more;
    go({ more: typed ? { ...rest, [name]: typed } : rest });
  };
  const names = Object.keys(place.more);
  return (
    <details class="further" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary data-testid="further">More options{names.length > 0 && ` (${names.length} set)`}</summary>
      {names.length > 0 && (
        <ul class="set" aria-label="Options that are set">
          {names.map((name) => (
            <li key={name}>
              <button type="button" class="chip" onClick={() => set(name, "")} title="Take it back">
                <bdi>{`${calledOf(payload, name)}${place.more[name] === "1" ? "" : `: ${place.more[name]}`}`}</bdi> <span aria-hidden="true">×</span><span class="hidden">, take it back</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {open && (["reading", "scoring"] as const).map((group) => (
        <fieldset key={group}>
          <legend>{GROUPS[group]}</legend>
          {group === "reading" && (
            <div class="field">
              <label for="side">Options of</label>
              <select id="side" value={side} onChange={(event) => setSide(event.currentTarget.value)}>
                {Object.entries(SIDES).map(([key, says]) => <option key={key} value={key}>{says}</option>)}
              </select>
            </div>
          )}
          {payload.further
            .filter((one) => one.group === group && (!side || group !== "reading" || one.sides))
            .map((one) => {
              const name = group === "reading" && side ? `${side}${one.name}` : one.name;
              return <Field key={name} option={one} name={name} typed={place.more[name] ?? ""} set={(typed) => set(name, typed)} />;
            })}
        </fieldset>
      ))}
    </details>
  );
}

function Field({ option, name, typed, set }: { option: Option; name: string; typed: string; set: (typed: string) => void }) {
  const id = `o-${name}`;
  const says = `${option.says}${option.usual ? ` Usually: ${option.usual}.` : ""}`;
  if (option.form === "flag") {
    return (
      <label class="check" title={says}>
        <input id={id} type="checkbox" aria-describedby={`${id}-says`} checked={typed === "1"} onChange={(event) => set(event.currentTarget.checked ? "1" : "")} /> {option.title}
        <span id={`${id}-says`} hidden>{says}</span>
      </label>
    );
  }
  return (
    <div class="field" title={says}>
      <label for={id}>{option.title}</label>
      <span id={`${id}-says`} hidden>{says}</span>
      {option.choices.length ? (
        <select id={id} aria-describedby={`${id}-says`} value={typed} onChange={(event) => set(event.currentTarget.value)}>
          <option value="">as usual</option>
          {option.choices.map((one) => <option key={one} value={one}>{one}</option>)}
        </select>
      ) : (
        <input id={id} aria-describedby={`${id}-says`} value={typed} placeholder={option.example || option.usual} autocomplete="off" onInput={(event) => set(event.currentTarget.value)} />
      )}
    </div>
  );
}
