import { useCallback, useEffect, useLayoutEffect, useState } from "preact/hooks";

/** How a place of the page is written after "#/", and read: links are typed and cut off by people. */
export interface Links<P> {
  parse: (hash: string) => P;
  format: (place: P) => string;
  drilled?: (old: P, next: P) => boolean; // whether Back should lead from one place to the other
}

/** A whole number within [0, below), or the fallback. */
export function number(text: string | null, below: number, fallback: number): number {
  if (text === null || !/^\d{1,9}$/.test(text)) return fallback;
  const value = Number(text);
  return value < below ? value : fallback;
}

/** The place of a name in a list, or of the position that links of earlier pages have; -1 where there is neither. */
export function named(name: string | null, names: readonly string[]): number {
  const at = name === null ? -1 : names.indexOf(name);
  return at < 0 ? number(name, names.length, -1) : at;
}

/** Several names between commas, each of which may hold some. */
export const several = (names: string[]): string => names.map((name) => name.replace(/[%,]/g, encodeURIComponent)).join();
export const apart = (text: string): string[] => (text ? text.split(",").map((name) => name.replace(/%25|%2C/g, decodeURIComponent)) : []);

/** The page and what is asked of it, out of "#/page?key=value". */
export function split(hash: string): [page: string, asked: URLSearchParams] {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  return [path, new URLSearchParams(query)];
}

/** The hash of a page and of what differs from its beginning; null stands for what does not. */
export function join(page: string, asked: Record<string, string | null>): string {
  const parts = Object.entries(asked).flatMap(([key, value]) =>
    value === null ? [] : [`${key}=${encodeURIComponent(value).replaceAll("%2C", ",")}`],
  );
  return `#/${page}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** The place in the link and in the page, kept the same. Links are written late: browsers count the writes. */
export function usePlace<P extends { page: string }>(links: Links<P>): [P, (change: Partial<P>) => void] {
  const [place, set] = useState(() => links.parse(location.hash));
  // Not after the next frame: a link that changes before would be lost, and then be written over.
  useLayoutEffect(() => {
    const follow = () => set(links.parse(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [links]);
  useEffect(() => {
    const before = location.hash;
    const late = setTimeout(() => {
      const hash = links.format(place);
      // Where Back has been pressed meanwhile, its place stands there already, and the page is about to hear of it.
      if (location.hash === before && before !== hash) history.replaceState(null, "", hash);
    }, 200);
    return () => clearTimeout(late);
  }, [place, links]);
  const change = useCallback(
    (by: Partial<P>) =>
      set((old) => {
        const next = { ...old, ...by };
        if (next.page !== old.page || links.drilled?.(old, next)) {
          history.replaceState(null, "", links.format(old)); // what Back should find
          history.pushState(null, "", links.format(next));
          if (next.page !== old.page) scrollTo(0, 0);
        }
        return next;
      }),
    [links],
  );
  return [place, change];
}
