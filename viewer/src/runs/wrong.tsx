import type { Try, Wrong } from "./types";

/** An error as the library tells it: where, what, what was expected, what to try. */
export function WrongBox({ wrong, close, title, follow }: { wrong: Wrong; close?: () => void; title?: string; follow?: (one: Try) => void }) {
  return (
    <div class="wrong" role="alert" data-testid="wrong">
      <span class="glyph" aria-hidden="true">!</span>
      <div>
        {title && <p class="head"><bdi>{title}</bdi></p>}
        <p>
          {wrong.where && <><bdi class="where">{wrong.where}</bdi>: </>}
          <bdi>{wrong.what}</bdi>
        </p>
        <dl>
          {wrong.expected && <div><dt>expected</dt><dd><bdi>{wrong.expected}</bdi></dd></div>}
          {wrong.hint && <div><dt>try</dt><dd><bdi>{wrong.hint}</bdi></dd></div>}
        </dl>
        {follow && (wrong.tries ?? []).length > 0 && (
          <p class="tries">
            {wrong.tries!.map((one) => (
              <button key={one.say} type="button" class="tool" data-testid="try" onClick={() => follow(one)}>
                {one.value === null && one.option !== "swap" ? "Set " : "Try "}<bdi>{one.say}</bdi>{one.value === null && one.option !== "swap" && " …"}
              </button>
            ))}
          </p>
        )}
      </div>
      {close && <button class="tool" onClick={close} aria-label="Close this message">×</button>}
    </div>
  );
}
