import { GLYPHS, SAYS, type Flag, type Says } from "./flags";
import type { Model, View } from "./model";
import { kindOf, pairOf } from "./step";

const WORDS: Record<Says, string> = { wrong: "wrong", missing: "missing", unsure: "unsure", discuss: "to discuss" };

/** What may be said of a span: gold can be wrong, a prediction can be missing from gold. */
export const sayable = (gold: boolean): Says[] => SAYS.filter((says) => says !== (gold ? "missing" : "wrong"));

/** The next flag of a span, none after the last. */
export const following = (gold: boolean, flag?: Flag): Says | null => {
  const all = sayable(gold);
  return all[flag ? all.indexOf(flag.says) + 1 : 0] ?? null;
};

/** The flags of a chosen finding: of its gold span; where it has a prediction that is not gold, of that too. */
export function FlagBar({ model, view, id }: { model: Model; view: View; id: number }) {
  const [g, p] = pairOf(view.verdicts!, id);
  const wrong = kindOf(view.verdicts!, id) !== 0;
  const n = model.corpus!.gold.doc.length;
  const one = (id: number, gold: boolean, first: boolean) => (
    <FlagChoice
      key={id}
      gold={gold}
      label={model.payload.labels[model.corpus!.label[id]]}
      flag={view.flags.get(id)}
      set={(says, note) => view.flag(id, says, note)}
      first={first}
    />
  );
  return (
    <div class="flagbar" role="group" aria-label="Flags">
      {g >= 0 && one(g, true, true)}
      {p >= 0 && wrong && one(n + p, false, g < 0)}
    </div>
  );
}

interface Choice {
  gold: boolean;
  label: string;
  flag: Flag | undefined;
  set: (says: Says | null, note: string) => void;
  first: boolean; // the key is for this span
}

/** What may be said of a span, and a note. */
export function FlagChoice({ gold, label, flag, set, first }: Choice) {
  return (
    <div class="flags">
      <span>{gold ? "Gold" : "Gold lacks"} <bdi>{label}</bdi></span>
      {sayable(gold).map((says) => (
        <button key={says} class="tool" aria-pressed={flag?.says === says} onClick={() => set(flag?.says === says ? null : says, flag?.note ?? "")}>
          {GLYPHS[says]} {says === "missing" ? "add it" : WORDS[says]} {first && says === sayable(gold)[0] && <kbd>m</kbd>}
        </button>
      ))}
      {flag && <Note flag={flag} set={(note) => set(flag.says, note)} />}
    </div>
  );
}

/** A note is kept when the field is left: every letter would draw the page anew. */
function Note({ flag, set }: { flag: Flag; set: (note: string) => void }) {
  return <input class="note" aria-label="Note" placeholder="note" defaultValue={flag.note} onChange={(e) => set(e.currentTarget.value)} />;
}
