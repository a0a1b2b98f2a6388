import type { Asked, Option, Payload, Try } from "./types";
import type { Place } from "./url";

/** What was typed for an option, as the server wants it; what is no number goes as it is and is refused there. */
export function valueOf(form: Option["form"], typed: string): unknown {
  const parts = typed.split(",").map((one) => one.trim()).filter(Boolean);
  const number = (text: string) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
  if (form === "flag") return typed === "1";
  if (form === "list" || form === "repeated") return parts;
  if (form === "cutoffs") return parts.length > 1 ? parts.map(number) : number(typed.trim());
  if (form === "whole" || form === "number") return number(typed.trim());
  if (form === "pairs" || form === "pair list") {
    return Object.fromEntries(parts.map((pair) => [pair.split("=", 1)[0].trim(), pair.includes("=") ? pair.replace(/^[^=]*=/, "").trim() : ""]));
  }
  return typed;
}

/** A value as it is typed. */
export function typedOf(value: unknown): string {
  if (value === true) return "1";
  if (Array.isArray(value)) return value.join(", ");
  if (value !== null && typeof value === "object") return Object.entries(value).map(([key, own]) => `${key}=${String(own)}`).join(", ");
  return value === null || value === undefined || value === false ? "" : String(value);
}

/** The option of a name, also of a name that begins with its side. */
export const optionOf = (payload: Payload, name: string): Option | undefined =>
  payload.further.find((one) => one.name === name || (one.sides && (`gold_${one.name}` === name || `pred_${one.name}` === name)));

/** What an option is called, with its side. */
export function calledOf(payload: Payload, name: string): string {
  const option = optionOf(payload, name);
  const side = !option || option.name === name ? "" : name.startsWith("gold_") ? " of gold" : " of predictions";
  return `${option?.title ?? name}${side}`;
}

/** The form filled with what a job was asked. */
export function filled(payload: Payload, asked: Asked): Partial<Place> {
  const { protocol, measures, labels, text, locate, ...rest } = asked.options ?? {};
  const [, measure = "", inside = ""] = /^([\w.]+)(?:\((.*)\))?$/.exec(Array.isArray(measures) ? String(measures[0] ?? "") : "") ?? [];
  const threshold = /(?:^|[ ,])threshold=([\d.]+)/.exec(inside);
  return {
    gold: asked.gold ?? null,
    preds: asked.pred ? [asked.pred] : [],
    how: protocol ? `protocol:${String(protocol)}` : measure ? `measure:${measure}` : "",
    threshold: threshold ? Math.round(Number(threshold[1]) * 100) : null,
    labels: typedOf(labels),
    text: text === payload.texts[0] ? "" : typedOf(text),
    locate: locate === true,
    more: Object.fromEntries(Object.entries(rest).flatMap(([name, value]) => (optionOf(payload, name) ? [[name, typedOf(value)]] : []))),
  };
}

/** The form as an error proposes it; the field whose value only the reader knows, by its id, is to be opened. */
export function tried(place: Place, one: Try): { change: Partial<Place>; focus: string | null } {
  const { option, value } = one;
  if (option === "again") return { change: {}, focus: null };
  if (option === "swap") return { change: { gold: place.preds[0] ?? null, preds: place.gold ? [place.gold] : [] }, focus: null };
  if (value === null) {
    const own = ["labels", "text"].includes(option) ? option : ["protocol", "measures"].includes(option) ? "how" : `o-${option}`;
    return { change: own.startsWith("o-") && one.begun ? { more: { ...place.more, [option]: one.begun } } : {}, focus: own };
  }
  if (option === "protocol") return { change: { how: `protocol:${value}`, threshold: null }, focus: null };
  if (option === "measures") return { change: { how: `measure:${value}`, threshold: null }, focus: null };
  if (option === "labels" || option === "text") return { change: { [option]: value }, focus: null };
  if (option === "locate") return { change: { locate: value === "1" }, focus: null };
  return { change: { more: { ...place.more, [option]: value } }, focus: null };
}
