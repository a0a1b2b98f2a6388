import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { brief, count, plural, rate, seek, title } from "./format";
import { sorted, turned } from "./heads";
import { List } from "./list";
import { Scroll } from "./scroll";
import type { DocumentTable, Num } from "./types";

const WIDTHS = { rate: 68, count: 62, kind: 30 }; // pixels of columns
const GAP = 8;

type Head = DocumentTable["columns"][number];

interface Props {
  table: DocumentTable;
  names: string[];
  total: number; // documents that were scored, in the page or not
  order: string; // the column that sorts, "-" before it for downwards; "": the worst first
  find: string; // what names of documents hold
  set: (change: { order?: string; find?: string }) => void;
  open: (doc: number) => void;
  glyph?: (kind: string) => ComponentChildren;
  note: string; // what the figures are at
}

/** Whether another column before it has its name. */
const repeats = (columns: Head[], at: number): boolean => columns.findIndex(({ name }) => name === columns[at].name) < at;

/** What links call a column: its name, and where another has it first what it is of. */
export const keyOf = (columns: Head[], at: number): string => columns[at].name + (repeats(columns, at) ? ` ${columns[at].of}` : "");

/** The value of a document under a head; null where it is undefined. */
export function valueOf({ cells }: DocumentTable, at: number, doc: number): Num {
  const own = cells[at];
  if (own instanceof Int32Array) return own[doc];
  return own.at[doc] < 0 ? null : own.values[own.at[doc]];
}

/** The documents whose names hold a word, in the order asked for: by a column, by name, or the worst first. */
export function listed(table: DocumentTable, names: string[], order: string, find: string): number[] {
  const word = find.toLowerCase();
  const docs = names.map((_, doc) => doc).filter((doc) => !word || names[doc].toLowerCase().includes(word));
  const by = order.replace(/^-/, "");
  const at = table.columns.findIndex((_, i) => keyOf(table.columns, i) === by);
  const lead = table.cells[0];
  const worst = (doc: number): Num => (lead === undefined ? 0 : lead instanceof Int32Array ? -lead[doc] : lead.at[doc] < 0 ? null : lead.tier[lead.at[doc]]);
  const key: (doc: number) => string | Num = by === "document" ? (doc: number) => names[doc] : at < 0 ? worst : (doc: number) => valueOf(table, at, doc);
  return sorted(docs.map(key), at < 0 && by !== "document" ? "" : order).map((i) => docs[i]);
}

/** Figures and counts of every document; each opens. */
export function DocumentsTable({ table, names, total, order, find, set, open, glyph, note }: Props) {
  const { columns } = table;
  const docs = useMemo(() => listed(table, names, order, find), [table, names, order, find]);
  const [current, choose] = useState(0);
  const arrow = (key: string) => (order === key ? " ↑" : order === `-${key}` ? " ↓" : "");
  const head = (key: string, says: string, children: ComponentChildren) => (
    <button key={key} title={says} aria-pressed={order.replace(/^-/, "") === key} onClick={() => set({ order: turned(order, key) })}>
      {children}
      {arrow(key)}
    </button>
  );
  const widths = columns.map(({ what }) => WIDTHS[what]);
  const sizes = { "--columns": widths.map((width) => `${width}px`).join(" "), "--wide": `${widths.reduce((sum, width) => sum + width + GAP, 0)}px` };
  return (
    <div class="bydocument" style={sizes}>
      <h2 class="hidden">Documents</h2>
      <div class="filters" role="search">
        <label>
          {"Name "}
          <input id="find" type="search" value={find} placeholder={seek("filter")} autocomplete="off" onInput={(e) => set({ find: e.currentTarget.value })} />
        </label>
        <span class="hits" role="status">{`${plural(docs.length, "document")} listed`}</span>
        {order && <button class="link" onClick={() => set({ order: "" })}>Worst first</button>}
      </div>
      <p class="note">{`${order ? "" : "The worst first. "}${note}${names.length < total ? ` ${count(names.length)} of ${plural(total, "document")} are in this file.` : ""}`}</p>
      {docs.length ? (
        <Scroll name="Documents, their figures and counts">
          <div class="docrows">
            <div class="row heads" role="group" aria-label="Sort by">
              {head("document", "Sort by name", "Document")}
              {columns.map((one, at) =>
                head(keyOf(columns, at), `${title(one.name)}: ${one.of}`, one.what === "kind" && glyph ? <>{glyph(one.name)}<span class="hidden">{one.name}</span></> : <Named columns={columns} at={at} />),
              )}
            </div>
            <List
              label="Documents"
              class="tall"
              rows={docs.length}
              current={Math.min(current, docs.length - 1)}
              move={(by) => choose((old) => Math.max(0, Math.min(docs.length - 1, old + by)))}
              enter={() => open(docs[Math.min(current, docs.length - 1)])}
              id={(i) => `document${docs[i]}`}
              draw={(i) => <Row key={docs[i]} table={table} doc={docs[i]} name={names[docs[i]]} place={i} total={docs.length} chosen={i === current} open={open} />}
            />
          </div>
        </Scroll>
      ) : (
        <p class="empty" role="status">No document has such a name.</p>
      )}
    </div>
  );
}

/** A head; what it is of stands under it where its name alone does not tell. */
function Named({ columns, at }: { columns: Head[]; at: number }) {
  const { name, of } = columns[at];
  return (
    <>
      {title(name)}
      {repeats(columns, at) && <small>{brief(of)}</small>}
    </>
  );
}

interface RowProps {
  table: DocumentTable;
  doc: number;
  name: string;
  place: number;
  total: number;
  chosen: boolean;
  open: (doc: number) => void;
}

function Row({ table, doc, name, place, total, chosen, open }: RowProps) {
  return (
    <div id={`document${doc}`} class="row" data-testid="by-document" role="option" aria-selected={chosen} aria-posinset={place + 1} aria-setsize={total} onClick={() => open(doc)}>
      <bdi title={name}>{name}</bdi>
      {table.columns.map(({ what, name }, at) => {
        const value = valueOf(table, at, doc);
        return (
          <span key={at} class={`${value === 0 && what !== "rate" ? "zero" : ""}`}>
            <span class="hidden">{` ${title(name)} `}</span>
            {what === "rate" ? rate(value) : count(value ?? 0)}
          </span>
        );
      })}
    </div>
  );
}
