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
  return (
    <div class="flagbar" role="group" aria-label="Flags">
      {g >= 0 && <One model={model} view={view} id={g} gold first />}
      {p >= 0 && wrong && <One model={model} view={view} id={n + p} gold={false} first={g < 0} />}
    </div>
  );
}

function One({ model, view, id, gold, first }: { model: Model; view: View; id: number; gold: boolean; first: boolean }) {
  const flag = view.flags.get(id);
  const c = model.corpus!;
  const code = c.label[id];
  return (
    <div class="flags">
      <span>{gold ? "Gold" : "Gold lacks"} <bdi>{model.payload.labels[code]}</bdi></span>
      {sayable(gold).map((says) => (
        <button
          key={says}
          class="tool"
          aria-pressed={flag?.says === says}
          onClick={() => view.flag(id, flag?.says === says ? null : says, flag?.note ?? "")}
        >
          {GLYPHS[says]} {says === "missing" ? "add it" : WORDS[says]} {first && says === sayable(gold)[0] && <kbd>m</kbd>}
        </button>
      ))}
      {flag && <Note key={id} flag={flag} set={(note) => view.flag(id, flag.says, note)} />}
    </div>
  );
}

/** A note is kept when the field is left: every letter would draw the page anew. */
function Note({ flag, set }: { flag: Flag; set: (note: string) => void }) {
  return <input class="note" aria-label="Note" placeholder="note" defaultValue={flag.note} onChange={(e) => set(e.currentTarget.value)} />;
}
