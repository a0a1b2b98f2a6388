import { plural } from "../frame/format";

/** What a page that a server shows says while texts are on their way. */
export function Coming({ left, lost, searched }: { left: number; lost: boolean; searched: boolean }) {
  if (!lost && !left) return null;
  const coming = `${plural(left, "text")} still loading${searched ? "; found so far" : ""}.`;
  return (
    <p class="note" role="status" data-testid="coming">
      {lost ? "The server does not answer; retrying." : coming}
    </p>
  );
}
