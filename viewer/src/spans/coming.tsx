import { plural } from "../frame/format";
import { trouble } from "./texts";

/** What a page that a server shows says while texts are on their way. */
export function Coming({ left, searched }: { left: number; searched: boolean }) {
  if (!trouble && !left) return null;
  return (
    <p class="note" role="status" data-testid="coming">
      {trouble || `${plural(left, "text")} still loading${searched ? "; found so far" : ""}.`}
    </p>
  );
}
