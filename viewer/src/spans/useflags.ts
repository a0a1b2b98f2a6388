import { useMemo } from "preact/hooks";
import { useStored } from "../frame/theme";
import { flagged, keyOf, read, shelf, spanOf, type Flag, type Flags, type Says, type Span } from "./flags";
import type { Model } from "./model";

export type Flagging = [span: Span, says: Says | null, note?: string | undefined];

/** All flags of a shelf, and how to set some; they are kept in the browser, beside the gold they are about. */
export function useShelf(name: string): [Flags, (...all: Flagging[]) => void] {
  const [kept, keep] = useStored(name, "{}");
  const flags = useMemo(() => read(kept), [kept]);
  const set = (...all: Flagging[]) => {
    const next = { ...flags };
    for (const [span, says, note = ""] of all) {
      delete next[keyOf(span)];
      if (says) next[keyOf(span)] = { ...span, says, note };
    }
    keep(JSON.stringify(next));
  };
  return [flags, set];
}

/** The flags by id, and how to set one. */
export function useFlags(model: Model): [Map<number, Flag>, (id: number, says: Says | null, note?: string) => void] {
  const [flags, set] = useShelf(shelf(model));
  const byId = useMemo(() => flagged(model, flags), [model, flags]);
  return [byId, (id, says, note) => set([spanOf(model, id), says, note])];
}
