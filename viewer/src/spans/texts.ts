import { useEffect, useReducer } from "preact/hooks";
import { SILENT, UNSENT } from "../frame/start";
import type { RawCorpus } from "./types";

const SLOWER = 1.5; // each redraw for texts that nobody waits for lets the next one wait longer: a search is long
const AGAIN = 2000; // before a server that did not answer is asked again
const AT_ONCE = 2; // chunks on their way

const heard = new Set<() => void>();
const asked = new Set<number>(); // chunks that are there or on their way
let begun = false;
let wish = -1; // the document that was looked at last and is not there yet
let told = 0; // when it was redrawn last
let pause = 800; // milliseconds until the next time
export let trouble = ""; // why texts do not come

/** Whether a text is still to come from the server. */
export const waits = (raw: RawCorpus, doc: number): boolean => raw.served !== undefined && raw.texts[doc] === undefined;

/** The text of a document: null where it is withheld, undefined while it is on its way, which then redraws. */
export function useText(raw: RawCorpus, doc: number): string | null | undefined {
  const waiting = waits(raw, doc);
  const [, again] = useReducer((n: number) => n + 1, 0);
  if (waiting) wish = doc;
  useEffect(() => {
    if (!waiting) return;
    heard.add(again as () => void);
    return () => void heard.delete(again as () => void);
  }, [waiting, doc]);
  return raw.texts[doc];
}

/** Texts still to come, whether the server is lost, and a number that changes with every arrival. */
export function useTexts(raw: RawCorpus | null): { left: number; lost: boolean; change: number } {
  const [change, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    if (!raw?.served) return;
    heard.add(again as () => void);
    if (!begun) for (let i = 0; i < AT_ONCE; i++) void load(raw, raw.served);
    begun = true;
    return () => void heard.delete(again as () => void);
  }, [raw]);
  const bounds = raw?.served ?? [];
  let left = 0;
  for (let chunk = 0; chunk + 1 < bounds.length; chunk++) if (waits(raw!, bounds[chunk])) left += bounds[chunk + 1] - bounds[chunk];
  return { left, lost: !!trouble, change };
}

/** The chunk to be asked for next: that of the text looked at, else the first; -1 when there is none left. */
export function next(bounds: number[], taken: ReadonlySet<number>, doc: number): number {
  let first = -1;
  for (let chunk = bounds.length - 2; chunk >= 0; chunk--) {
    if (taken.has(chunk)) continue;
    if (doc >= bounds[chunk] && doc < bounds[chunk + 1]) return chunk;
    first = chunk;
  }
  return first;
}

async function load(raw: RawCorpus, bounds: number[]): Promise<void> {
  for (let chunk = next(bounds, asked, wish); chunk >= 0; chunk = next(bounds, asked, wish)) {
    asked.add(chunk);
    const [from, to] = [bounds[chunk], bounds[chunk + 1]];
    try {
      const answer = await fetch(`texts?from=${from}&to=${to}`);
      if (answer.status === 404) return tell(UNSENT);
      if (!answer.ok) throw 0;
      const texts = (await answer.json()) as (string | null)[];
      for (let i = from; i < to; i++) raw.texts[i] = texts[i - from] ?? null;
    } catch {
      asked.delete(chunk);
      tell(SILENT);
      await new Promise((done) => setTimeout(done, AGAIN));
      continue;
    }
    const wished = wish >= from && wish < to;
    if (!wished && !trouble && performance.now() - told < pause) continue;
    if (!wished) pause *= SLOWER;
    told = performance.now();
    tell("");
  }
  tell("");
}

function tell(why: string): void {
  trouble = why;
  [...heard].forEach((one) => one());
}
