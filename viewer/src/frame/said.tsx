import { useEffect, useState } from "preact/hooks";

let tell: (words: string) => void = () => {};

/** Say something in passing: shown for a moment, and read out. */
export const say = (words: string): void => tell(words);

/** The one place of the page where things are said. */
export function Said() {
  const [said, set] = useState("");
  tell = set;
  useEffect(() => {
    const late = setTimeout(() => set(""), 4000);
    return () => clearTimeout(late);
  }, [said]);
  return (
    <div class="said" role="status" aria-live="polite">
      {said}
    </div>
  );
}

export function copy(text: string, done: string): void {
  navigator.clipboard?.writeText(text).then(
    () => say(done),
    () => say("The browser did not allow copying"),
  );
}
