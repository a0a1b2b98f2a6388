import { count, rate } from "../frame/format";
import type { Texts } from "../frame/types";
import { pieces } from "./pieces";
import { valueOf } from "./rates";
import { STATES, type Queries } from "./types";

const share = (value: number | null): string => rate(value, 3);

interface Placed {
  file: Int32Array;
  start: Int32Array;
  end: Int32Array;
  name: Int32Array;
}

/** Where something is from: identifier, file, characters. */
export function Place({ q, of, at }: { q: Queries; of: Placed; at: number }) {
  const { strings } = q;
  return (
    <span class="from">
      {of.name[at] >= 0 && <bdi class="id">{strings[of.name[at]]}</bdi>}
      {of.file[at] >= 0 && <bdi>{strings[of.file[at]]}</bdi>}
      {of.start[at] >= 0 && <span>{`${count(of.start[at])}–${count(of.end[at])}`}</span>}
    </span>
  );
}

/** A text as SQuAD compares it, where it is not the same. */
export function Normal({ q, at, text }: { q: Queries; at: number; text: number }) {
  if (at < 0 || at === text) return null;
  return (
    <p class="note">
      compared as <q class="words"><bdi>{q.strings[at]}</bdi></q>
    </p>
  );
}

/** What passages are drawn from. */
export interface Shown {
  q: Queries;
  payload: { text: Texts };
}

/** A retrieved passage: rank, what it brings and why, where it is from, its text with the answer marked. */
export function PassageItem({ model: { q, payload }, at, beyond }: { model: Shown; at: number; beyond: boolean }) {
  const { passages: p } = q;
  const state = STATES[p.state[at]];
  const found = p.state[at] === 1 || p.state[at] === 2;
  return (
    <li class={`passage ${state.name} ${beyond ? "beyond" : ""}`} data-testid="passage" data-rank={p.rank[at]}>
      <p class="line">
        <span class="rank">{`#${p.rank[at]}`}</span>
        <span class="sign" aria-hidden="true">{state.glyph}</span>
        {found ? <strong class="why">{why(q, at)}</strong> : <span class="why">{q.kind === "squad" ? "wrong" : q.kind === "judged" && state.name === "none" ? "not judged" : state.word}</span>}
        {p.grade[at] > 1 && <span>{`grade ${p.grade[at]}`}</span>}
        {p.precision && p.shared[at] > 0 && <Shared q={q} at={at} />}
        <Place q={q} of={p} at={at} />
        {p.score[at] !== null && <span class="score">{`score ${p.score[at]}`}</span>}
      </p>
      {p.text[at] >= 0 && <Text q={q} at={at} />}
      {payload.text !== "none" && p.text[at] >= 0 && !q.strings[p.text[at]].trim() && <p class="note">{q.kind === "squad" ? "Nothing was answered." : "An empty passage."}</p>}
      <Normal q={q} at={p.normal[at]} text={p.text[at]} />
    </li>
  );
}

/** Which gold answers it holds, and by what. */
function why(q: Queries, at: number): string {
  if (q.kind === "judged") return "judged relevant";
  const { edges, gold, how, alike } = q.links;
  const out: string[] = [];
  for (let i = edges[at]; i < edges[at + 1]; i++) {
    const like = alike?.[i] ?? null;
    out.push(`gold ${gold[i] + 1}: ${q.hows[how[i]]}${like === null ? "" : ` ${share(like)}`}`);
  }
  const again = q.passages.state[at] === 2 ? " (found above already)" : "";
  const most = 4;
  const more = out.length > most ? ` and ${out.length - most} more` : "";
  const right = q.kind === "squad" ? "right" : "holds a gold answer";
  return `${out.slice(0, most).join("; ") || right}${more}${again}`;
}

function Shared({ q, at }: { q: Queries; at: number }) {
  const { shared, size, wanted, precision, recall } = q.passages;
  const parts = precision && recall ? `precision ${share(valueOf(precision, at))}, recall ${share(valueOf(recall, at))}` : "";
  const says = `${count(shared[at])} characters shared; the passage has ${count(size[at])}, the gold answers ${count(wanted[at])}`;
  return <span title={says}>{`${count(shared[at])} characters, ${parts}`}</span>;
}

/** The text, its gold answers marked and numbered; the numbers are no part of the text. */
function Text({ q, at }: { q: Queries; at: number }) {
  const { passages: p, links } = q;
  const marks = [];
  for (let i = links.edges[at]; i < links.edges[at + 1]; i++) {
    if (links.start[i] >= 0 && links.end[i] > links.start[i]) marks.push({ from: links.start[i], to: links.end[i], gold: links.gold[i] });
  }
  const left = (n: number) => <span class="left">{`${count(n)} characters left out`}</span>;
  return (
    <>
      {p.from[at] > 0 && left(p.from[at])}
      <p class="quote words" dir="auto">
        {pieces(q.strings[p.text[at]], marks).map((piece, i) =>
          piece.golds.length ? (
            <mark key={i} data-gold={piece.last ? piece.golds.map((n) => n + 1).join(" ") : undefined}>{piece.text}</mark>
          ) : (
            piece.text
          ),
        )}
      </p>
      {p.left[at] > 0 && left(p.left[at])}
    </>
  );
}
