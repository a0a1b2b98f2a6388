import { useEffect, useState } from "preact/hooks";

/** Whether the window is as narrow as the style sheet has it: rows then take two lines. */
export function useNarrow(): boolean {
  const asked = matchMedia("(max-width: 900px)");
  const [narrow, set] = useState(asked.matches);
  useEffect(() => {
    const follow = () => set(asked.matches);
    asked.addEventListener("change", follow);
    return () => asked.removeEventListener("change", follow);
  }, []);
  return narrow;
}
