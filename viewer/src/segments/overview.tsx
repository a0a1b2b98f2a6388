import { Cards, chosen, leading, type Shown } from "../frame/cards";
import { count, minus, plural } from "../frame/format";
import { Scroll } from "../frame/scroll";
import { Slices } from "../frame/slices";
import { Tables } from "../frame/tables";
import { Verdict } from "../frame/verdict";
import { SIGNS } from "./corpus";
import type { Model } from "./model";
import { Letter, Ranking } from "./ranking";
import type { PlainTable } from "./types";

export function Overview({ model }: { model: Model }) {
  const { payload } = model;
  const { corpus: c, tables } = payload;
  const cards = tables ? [] : chosen(payload);
  return (
    <div class="overview">
      <h2 class="hidden">Overview</h2>
      {tables ? <Best model={model} /> : <Two model={model} lead={cards.slice(0, 1)} />}
      <Cards all={cards.slice(1)} />
      {tables ? (
        <>
          <Ranking model={model} />
          {tables.filter(wide).map((table, i) => <Plain key={i} model={model} table={table} />)}
          <div class="beside">
            {tables.filter((table) => !wide(table)).map((table, i) => <Plain key={i} model={model} table={table} />)}
          </div>
        </>
      ) : (
        <>
          <Slices payload={payload} />
          <Tables payload={payload} />
        </>
      )}
      {c.embedded < c.total && <p class="note">{`${count(c.embedded)} of ${plural(c.total, "document")} are in this file; the figures are over all.`}</p>}
    </div>
  );
}

/** The method that leads, and the next. */
function Best({ model }: { model: Model }) {
  const { payload: p, corpus: c } = model;
  const [first, second] = p.ranking ?? [];
  const lead: Shown[] = first ? [{ name: p.leading!, under: c.methods[first[0]], row: [0, "", "", null, first[1], first[2], first[3], 0, 0] }] : [];
  return (
    <Verdict payload={p} leads={lead}>
      {first && (
        <p>
          <strong><bdi>{c.methods[first[0]]}</bdi></strong>
          {model.gold ? <> is nearest to <bdi>{c.methods[0]}</bdi></> : " agrees most with the others"}
          {second && <>, before <bdi>{c.methods[second[0]]}</bdi></>}, by the mean over documents.
        </p>
      )}
      <p data-testid="segmentations">{`${plural(c.methods.length, "segmentation")} of ${plural(p.documents, "document")}.`}</p>
    </Verdict>
  );
}

/** Two segmentations: what became of the boundaries. */
function Two({ model, lead }: { model: Model; lead: Shown[] }) {
  const { payload: p, corpus: c } = model;
  const own = c.marks[1]?.whole[c.at];
  const worst = own && [1, 2, 3].sort((a, b) => own[b] - own[a])[0];
  return (
    <Verdict payload={p} leads={lead}>
      {own && (
        <>
          <p>{`Boundaries: ${c.kinds.map((kind, i) => `${count(own[i])} ${kind}`).join(", ")}.`}</p>
          {worst !== undefined && own[worst] > 0 && <p>Largest problem: <strong>{`${SIGNS[worst]} ${c.kinds[worst]}`}</strong>.</p>}
        </>
      )}
      <p>{leading(p)}</p>
    </Verdict>
  );
}

/** Tables of methods against gold and large matrices take the whole width, all others half of it. */
const wide = (table: PlainTable): boolean => table.heads.length > 7 || (table.heads[0] === "Method" && table.heads.length > 5);
const NAMES = ["Method", "A", "B"]; // heads over names of segmentations
const LOWER = / ?↓$/; // how Python marks figures of which less is better; on a page the arrow is that of sorting
const LONG = 14; // rows beyond which a table scrolls

/** A table as Python wrote it. In a matrix of rates from 0 to 1 the shade follows the number that is printed. */
function Plain({ model, table }: { model: Model; table: PlainTable }) {
  const matrix = table.heads[0] === ""; // each against each: letters, then names
  const left = (i: number) => (table.left.includes(i) ? "left" : "num");
  const row = matrix ? 1 : 0; // the column that names the row
  const named = (i: number, cell: string) => {
    if (matrix && model.letters.includes(cell)) return <span class="letter">{cell}</span>;
    const side = NAMES.includes(table.heads[i]) ? model.corpus.methods.indexOf(cell) : -1;
    return side < 0 ? null : <Letter model={model} side={side} />;
  };
  return (
    <section class="card">
      <h3>{table.title}</h3>
      <Scroll name={table.title} class={`${table.rows.length > LONG ? "tall" : "wide"}`}>
        <table class={`plain ${matrix ? "heat" : ""}`}>
          <thead>
            <tr>
              {table.heads.map((head, i) => (head ? <th key={i} scope="col" class={left(i)}>{matrix && model.letters.includes(head) ? <span class="letter">{head}</span> : head.replace(LOWER, "")}{LOWER.test(head) && <small>lower is better</small>}</th> : <td key={i} />))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells, r) => (
              <tr key={r}>
                {cells.map((cell, i) =>
                  i === row ? <th key={i} scope="row">{named(i, cell)}<bdi>{cell}</bdi></th> : <td key={i} class={left(i)} style={matrix ? shade(cell) : {}}>{named(i, cell)}{!(matrix && !i) && <bdi>{minus(cell)}</bdi>}</td>,
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {table.note && <p class="note">{table.note}</p>}
    </section>
  );
}

function shade(cell: string): Record<string, string> {
  return /^[01]\.\d+$/.test(cell) ? { "--s": `${Math.min(1, Number(cell)) * 45}%` } : {};
}
