import { useState } from "preact/hooks";
import * as api from "./api";
import type { Gone } from "./types";
import { WrongBox } from "./wrong";

/** What stands instead of a page that is not there, and the way back. */
export function GonePage({ told }: { told: Gone }) {
  const [wrong, setWrong] = useState<string>("");
  const restore = () =>
    void api.change(told.restore!, { deleted: false }).then(
      () => location.reload(),
      (error: Error) => setWrong(error.message),
    );
  return (
    <>
      <header class="top">
        <div class="bar"><div class="name"><h1>Spanscope</h1></div></div>
      </header>
      <main id="main" class="gone" data-testid="gone">
        <WrongBox wrong={told} />
        {wrong && <p role="alert">{wrong}</p>}
        <p class="ways">
          {told.restore && <button class="go" data-testid="restore" onClick={restore}>Have it back</button>}
          <a class="tool" href="/">List of runs</a>
        </p>
      </main>
    </>
  );
}
