import { useState } from "preact/hooks";
import { plural, threshold as written } from "../frame/format";
import { Further, type FurtherProps } from "./further";
import type { File_, Payload } from "./types";
import type { Place } from "./url";
import { optionOf, valueOf } from "./values";
import { size } from "./words";

const TEXTS: Record<string, string> = {
  full: "full",
  context: "around errors only",
  masked: "masked, x for letters",
  none: "none, offsets only",
};

interface Props {
  payload: Payload;
  place: Place;
  go: (change: Partial<Place>) => void;
  gold: File_ | null;
  preds: File_[];
  sending: Sending[]; // files on their way
  take: (files: File[], side: "gold" | "pred" | null) => void;
  score: () => void;
  further: Omit<FurtherProps, "payload" | "place" | "go">;
}

/** A file on its way to the server. */
export interface Sending {
  name: string;
  gone: number; // bytes
  size: number;
}

/** Two inputs, how to score them, and the button. */
export function Setup({ payload, place, go, gold, preds, sending, take, score, further }: Props) {
  return (
    <form
      class="card setup"
      aria-label="Score a run"
      onSubmit={(event) => {
        event.preventDefault();
        score();
      }}
    >
      <h2>Score a run</h2>
      <Slot side="gold" name="Gold" files={gold ? [gold] : []} take={take} clear={() => go({ gold: null })} />
      <Slot side="pred" name="Predictions" files={preds} take={take} clear={(file) => go({ preds: preds.flatMap((one) => (one === file ? [] : [one.id])) })} />
      {(gold || preds.length === 1) && preds.length < 2 && (
        <button type="button" class="link swap" data-testid="swap" onClick={() => go({ gold: preds[0]?.id ?? null, preds: gold ? [gold.id] : [] })}>
          Swap gold and predictions
        </button>
      )}
      <p class="note" role="status">
        {sending.length ? (
          `Sending ${plural(sending.length, "file")} …`
        ) : (
          <>
            {`Drop files anywhere, up to ${payload.limits.said} each; several predictions are several runs. Result files (`}
            <code class="whole">eval --keep</code>) become runs to compare.
          </>
        )}
      </p>
      {sending.map((one, at) => (
        <div key={at} class="sending" data-testid="sending">
          <bdi class="file">{one.name}</bdi>
          <span class="note">{`${size(one.gone)} of ${size(one.size)}`}</span>
          <progress aria-label={`Upload of ${one.name}`} value={one.gone} max={one.size || 1} />
        </div>
      ))}
      <How payload={payload} place={place} go={go} />
      <Further payload={payload} place={place} go={go} {...further} />
      <button class="go" type="submit" data-testid="score" disabled={!gold || sending.length > 0}>
        {preds.length > 1 ? `Score ${preds.length} runs` : "Score"}
      </button>
      {!gold && <p class="note">Choose gold first. A file of tagged tokens or of segmentations may hold both sides.</p>}
    </form>
  );
}

/** One input: a place to drop on, and a button that opens the browser's own choice of files. */
function Slot({ side, name, files, take, clear }: { side: "gold" | "pred"; name: string; files: File_[]; take: Props["take"]; clear: (file: File_) => void }) {
  const [over, setOver] = useState(false);
  return (
    <div
      class={`slot ${over ? "over" : ""} ${files.length ? "filled" : ""}`}
      data-testid={`slot-${side}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        take([...(event.dataTransfer?.files ?? [])], side);
      }}
    >
      <span class="side">{name}</span>
      {files.length ? (
        <ul class="chosen">
          {files.map((file) => (
            <li key={file.id}>
              <bdi class="file" title={file.name}>{file.name}</bdi>
              <span class="note">{size(file.size)}</span>
              <button type="button" class="tool" onClick={() => clear(file)} aria-label={`Remove ${name.toLowerCase()} ${file.name}`}>×</button>
            </li>
          ))}
        </ul>
      ) : (
        <>
          <span class="file note">drop a file here</span>
          <label class="tool choose">
            Choose
            <span class="hidden">{` ${name.toLowerCase()} file`}</span>
            <input
              type="file"
              multiple={side === "pred"}
              class="hidden"
              data-testid={`file-${side}`}
              onChange={(event) => {
                const chosen = [...(event.currentTarget.files ?? [])];
                event.currentTarget.value = "";
                if (chosen.length) take(chosen, side);
              }}
            />
          </label>
        </>
      )}
    </div>
  );
}

function How({ payload, place, go }: { payload: Payload; place: Place; go: Props["go"] }) {
  const [kind, name] = place.how.split(/:(.*)/s);
  const measure = kind === "measure" ? payload.measures.find((one) => one.name === name) : undefined;
  const says = (kind === "measure" ? measure : payload.protocols.find((one) => one.name === name))?.says;
  const usual = measure?.threshold ?? null;
  const families = [...new Set(payload.measures.map((one) => one.name.split(".")[0]))];
  return (
    <>
      <div class="field">
        <label for="how">Measure</label>
        <select id="how" value={place.how} onChange={(event) => go({ how: event.currentTarget.value, threshold: null })}>
          <option value="">usual for the data</option>
          <optgroup label="Protocols">
            {payload.protocols.map((one) => <option key={one.name} value={`protocol:${one.name}`}>{one.name}</option>)}
          </optgroup>
          {families.map((family) => (
            <optgroup key={family} label={`Measures: ${family}`}>
              {payload.measures.filter((one) => one.name.startsWith(`${family}.`)).map((one) => (
                <option key={one.name} value={`measure:${one.name}`}>{one.name}</option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <p class="note says">{says ?? "Labelled spans and tags: exact, with relaxed and overlap beside it. Segmentations and passages: their own protocol."}</p>
      {usual !== null && (
        <div class="field">
          <label for="threshold">Threshold</label>
          <span class="range">
            <input
              id="threshold"
              type="range"
              min="0"
              max="100"
              value={place.threshold ?? Math.round(usual * 100)}
              onInput={(event) => go({ threshold: Number(event.currentTarget.value) })}
            />
            <output for="threshold">{written((place.threshold ?? Math.round(usual * 100)) / 100)}</output>
          </span>
        </div>
      )}
      <div class="field">
        <label for="labels">Labels</label>
        <input id="labels" value={place.labels} placeholder="all, or A, B, C" autocomplete="off" onInput={(event) => go({ labels: event.currentTarget.value })} />
      </div>
      <label class="check">
        <input type="checkbox" data-testid="locate" checked={place.locate} onChange={(event) => go({ locate: event.currentTarget.checked })} /> The predictions are quotes of a model: place them first
      </label>
      <div class="field">
        <label for="text">Texts shown</label>
        <select id="text" value={place.text || payload.texts[0]} onChange={(event) => go({ text: event.currentTarget.value })}>
          {payload.texts.map((one) => <option key={one} value={one}>{TEXTS[one] ?? one}</option>)}
        </select>
      </div>
      <div class="field">
        <label for="name">Name</label>
        <input id="name" value={place.name} placeholder="the predictions' file name" maxLength={120} autocomplete="off" onInput={(event) => go({ name: event.currentTarget.value })} />
      </div>
    </>
  );
}

/** What the form asks of the server. */
export function asked(payload: Payload, place: Place, pred: string | null): Record<string, unknown> {
  const [kind, name] = place.how.split(/:(.*)/s);
  const labels = place.labels.split(",").map((one) => one.trim()).filter(Boolean);
  const options: Record<string, unknown> = { text: place.text || payload.texts[0] };
  if (kind === "protocol") options.protocol = name;
  if (kind === "measure") options.measures = [name];
  if (kind === "measure" && place.threshold !== null) options.threshold = place.threshold / 100;
  if (labels.length) options.labels = labels;
  if (place.locate) options.locate = true;
  for (const [name, typed] of Object.entries(place.more)) {
    const option = optionOf(payload, name);
    if (option) options[name] = valueOf(option.form, typed);
  }
  return { gold: place.gold, pred, name: place.preds.length > 1 ? "" : place.name, options }; // several are called as their files
}
