import { useState } from "preact/hooks";
import { count, plural } from "../frame/format";
import { sign } from "./kinds";
import { Heads } from "./signs";
import type { Payload } from "./types";

const MOST = 500;

/** What a masking tool let through: every missed string, most frequent first, hidden until asked for. */
export function Leaks({ payload }: { payload: Payload }) {
  const leaks = payload.leaks ?? [];
  const held = leaks.some((leak) => leak.text !== null);
  const [shown, show] = useState(false);
  const [q, setQ] = useState("");
  const word = q.toLowerCase();
  const found = leaks.filter((l) => !word || l.label.toLowerCase().includes(word) || (shown && (l.text ?? "").toLowerCase().includes(word)));
  const total = found.reduce((sum, leak) => sum + leak.number, 0);
  return (
    <div class="leaks">
      <h2>Leaks</h2>
      <p>{`${plural(total, "gold span")} not matched: what would be left in the open.`}</p>
      <div class="filters">
        <label for="leak">Filter</label>
        <input id="leak" type="search" value={q} onInput={(e) => setQ(e.currentTarget.value)} />
        {held && (
          <label class="check">
            <input type="checkbox" checked={shown} onChange={(e) => show(e.currentTarget.checked)} /> Show the texts
          </label>
        )}
        <span role="status">{`${plural(found.length, "line")}`}</span>
      </div>
      <table class="card">
        <Heads of={["Label", "Kind", held && "Text", "Number"]} />
        <tbody>
          {found.slice(0, MOST).map((leak, i) => (
            <tr key={i}>
              <th scope="row"><bdi>{leak.label}</bdi></th>
              <td class="left"><span class="glyph">{sign(leak.kind).glyph}</span> {leak.kind}</td>
              {held && <td class="left words"><bdi>{leak.text === null ? "–" : shown ? leak.text : "•".repeat(Math.min(24, leak.text.length))}</bdi></td>}
              <td>{count(leak.number)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {found.length > MOST && <p class="note">{`The first ${MOST} of ${count(found.length)}.`}</p>}
    </div>
  );
}
