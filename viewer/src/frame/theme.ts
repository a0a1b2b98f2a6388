import { useCallback, useEffect, useState } from "preact/hooks";

/** Kept in the browser where that is allowed; a page from a mail may not be. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(`spanscope.${key}`);
  } catch {
    return null;
  }
}

export function useStored(key: string, fallback: string): [string, (value: string) => void] {
  const [value, set] = useState(() => read(key) ?? fallback);
  const store = useCallback((next: string) => {
    set(next);
    try {
      localStorage.setItem(`spanscope.${key}`, next);
    } catch {
      // not kept: the page still works
    }
  }, []);
  return [value, store];
}

export interface Theme {
  dark: boolean;
  toggle: () => void;
}

/** Follows the system until the reader chooses. */
export function useTheme(): Theme {
  const [chosen, choose] = useStored("theme", "auto");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const [night, setNight] = useState(system.matches);
  useEffect(() => {
    const follow = () => setNight(system.matches);
    system.addEventListener("change", follow);
    return () => system.removeEventListener("change", follow);
  }, []);
  const dark = chosen === "auto" ? night : chosen === "dark";
  useEffect(() => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
  }, [dark]);
  return { dark, toggle: () => choose(dark ? "light" : "dark") };
}
