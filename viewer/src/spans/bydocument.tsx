import { DocumentsTable } from "../frame/documents";
import { sign } from "./kinds";
import { stepName, type Model, type View } from "./model";
import { CLEAR } from "./url";

/** Every document with its figures; each opens its errors, or where it has none all its spans. */
export function ByDocument({ model, view }: { model: Model; view: View }) {
  const { payload: p, corpus } = model;
  if (!corpus) return null;
  const { raw } = corpus;
  const errors = p.by_document.columns.findIndex((one) => one.name === "Errors");
  const open = (doc: number) => {
    const found = p.by_document.cells[errors];
    const none = found instanceof Int32Array && !found[doc];
    view.go({ ...CLEAR, page: "errors", doc, sel: -1, group: "", step: raw.at, kinds: none ? p.kinds.map((_, kind) => kind) : null });
  };
  const signs = p.by_document.columns.filter(({ what }) => what === "kind").map(({ name }) => `${sign(name).glyph} ${name}`);
  const where = raw.steps.length > 1 ? ` Errors are those at ${raw.exact ? "the exact match" : stepName(raw, raw.at)}.` : "";
  return (
    <DocumentsTable
      table={p.by_document}
      names={raw.names}
      total={raw.total}
      order={view.place.order}
      find={view.place.find}
      set={(change) => view.go(change)}
      open={open}
      glyph={(kind) => <span aria-hidden="true">{sign(kind).glyph}</span>}
      note={`Choose a document to see its errors.${where}${signs.length ? ` ${signs.join(" · ")}.` : ""}`}
    />
  );
}
