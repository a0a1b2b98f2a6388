import { useMemo, useState } from "preact/hooks";

const OFFERED = 40; // names offered while typing: a list of ten thousand would stall the page

/** A document by its name. */
export function Documents({ names, doc, choose }: { names: string[]; doc: number; choose: (doc: number) => void }) {
  const [typed, type] = useState<string | null>(null);
  const offered = useMemo(() => {
    const out: string[] = [];
    const word = (typed ?? "").toLowerCase();
    for (let i = 0; i < names.length && out.length < OFFERED; i++) if (names[i].toLowerCase().includes(word)) out.push(names[i]);
    return out;
  }, [names, typed]);
  const take = (value: string) => {
    const found = value === "" ? -1 : names.indexOf(value);
    type(value === "" || found >= 0 ? null : value);
    if (value === "" || found >= 0) choose(found);
  };
  return (
    <label>
      {"Document "}
      <input
        id="doc"
        list="docs"
        value={typed ?? (doc >= 0 ? names[doc] : "")}
        placeholder="any"
        autocomplete="off"
        onInput={(e) => take(e.currentTarget.value)}
        onBlur={() => type(null)}
      />
      <datalist id="docs">
        {offered.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
