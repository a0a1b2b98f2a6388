/** What a list is sorted by: a column, "-" before it for downwards; "" is the order it comes in. */
export const turned = (sort: string, key: string): string => (sort === key ? `-${key}` : sort === `-${key}` ? "" : key);

/** Compare two values upwards; what there is not comes last, whichever way. */
export function sorted<K extends string | number | null>(keys: K[], sort: string): number[] {
  const way = sort.startsWith("-") ? -1 : 1;
  const at = keys.map((_, i) => i);
  return at.sort((a, b) => {
    const [x, y] = [keys[a], keys[b]];
    if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
    return (x < y ? -way : x > y ? way : 0) || a - b;
  });
}

/** The heads of a list: each sorts it by its column, the other way round, and no more. */
export function SortHeads({ of, sort, set }: { of: Record<string, string>; sort: string; set: (sort: string) => void }) {
  return (
    <div class="heads row" role="group" aria-label="Sort by">
      {Object.entries(of).map(([key, name]) => (
        <button key={key} class={key} aria-pressed={sort.replace("-", "") === key} onClick={() => set(turned(sort, key))}>
          {name}
          {sort === key ? " ↑" : sort === `-${key}` ? " ↓" : ""}
        </button>
      ))}
    </div>
  );
}
