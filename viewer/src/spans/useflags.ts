import { useMemo } from "preact/hooks";
import { useStored } from "../frame/theme";
import { flagged, keyOf, read, shelf, spanOf, type Flag, type Says } from "./flags";
import type { Model } from "./model";

/** The flags by id, and how to set one; they are kept in the browser, beside the gold they are about. */
export function useFlags(model: Model): [Map<number, Flag>, (id: number, says: Says | null, note?: string) => void] {
  const [kept, keep] = useStored(shelf(model), "{}");
  const flags = useMemo(() => read(kept), [kept]);
  const byId = useMemo(() => flagged(model, flags), [model, flags]);
  const set = (id: number, says: Says | null, note = "") => {
    const span = spanOf(model, id);
    const { [keyOf(span)]: _, ...rest } = flags;
    keep(JSON.stringify(says ? { ...rest, [keyOf(span)]: { ...span, says, note } } : rest));
  };
  return [byId, set];
}
