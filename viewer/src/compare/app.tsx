import { useMemo } from "preact/hooks";
import { Frame, type Sheet } from "../frame/frame";
import { usePlace } from "../frame/place";
import type { Export } from "../frame/exports";
import { plural } from "../frame/format";
import { colours } from "../spans/colours";
import { shelfOf } from "../spans/flags";
import { useShelf } from "../spans/useflags";
import { About } from "./about";
import { Changes } from "./changes";
import { Differences } from "./differences";
import { arrange, find, nearest } from "./filter";
import { Head } from "./head";
import { Items, openItem, unitOf } from "./items";
import { act, CHANGE_KEYS, KEYS } from "./keys";
import type { Model, View } from "./model";
import { changeSign } from "./signs";
import { Suspects } from "./suspected";
import { corrections, flaggedDocuments, listed, listing } from "./suspects";
import type { Payload } from "./types";
import { CLEAR, drilled, format, namesOf, parse } from "./url";

function modelOf(payload: Payload): Model {
  const names = namesOf(payload);
  const { audit } = payload;
  const { labels = [], by_label = [] } = payload.changed ?? {};
  const gold = by_label.map((own) => own[0] + own[1] + own[2] + own[3]);
  return {
    payload,
    names,
    links: { parse: (hash) => parse(hash, names), format: (place) => format(place, names), drilled },
    colours: colours(labels, gold),
    hues: colours(audit?.labels ?? [], (audit?.labels ?? []).map((_, label) => audit!.gold.label.reduce((sum, one) => sum + Number(one === label), 0))),
  };
}

export function App({ payload }: { payload: Payload }) {
  const model = useMemo(() => modelOf(payload), [payload]);
  const { changed } = payload;
  const [place, go] = usePlace(model.links);
  const found = useMemo(
    () => changed && find(changed.corpus, place, changed.changes.length),
    [changed, place.kinds, place.label, place.doc, place.q],
  );
  const items = useMemo(
    () => arrange(payload.items, payload.readings, place.run, place.order, place.all, place.find),
    [payload, place.run, place.order, place.all, place.find],
  );
  const current = found ? nearest(found.rows, place.sel) : -1;
  const item = items.length ? Math.max(0, items.indexOf(place.item)) : -1;
  const suspects = useMemo(() => (payload.audit ? listed(payload, place) : []), [payload, place.why, place.q, place.rank]);
  const suspect = suspects.length ? Math.max(0, suspects.indexOf(place.suspect)) : -1;
  const [flags, flag] = useShelf(shelfOf(payload.gold.sha256, payload.title));
  const view: View = { place, go, found, current, items, item, suspects, suspect, flags, flag };
  const bodies: Record<string, Sheet> = {
    differences: { id: "differences", name: "Differences", body: () => <Differences model={model} view={view} /> },
    changes: { id: "changes", name: "Changes", body: () => <Changes model={model} view={view} /> },
    suspects: { id: "suspects", name: "Suspects", body: () => <Suspects model={model} view={view} /> },
    "by-document": {
      id: "by-document",
      name: unitOf(payload.family) === "query" ? "Queries" : "Documents",
      body: () => <Items model={model} view={view} />,
    },
    about: { id: "about", name: "About", body: () => <About payload={payload} /> },
  };
  return (
    <Frame
      payload={payload}
      sheets={model.names.pages.map((id) => bodies[id])}
      page={place.page}
      go={(page) => go({ page })}
      figures={place.page !== "differences" && <Head model={model} view={view} />}
      more={exportsOf(payload, view)}
      keys={[...KEYS, ...CHANGE_KEYS]}
      legend={changed && <Signs changes={changed.changes} />}
      act={(key, event) => act(key, event, model, view, () => openItem(model, view))}
      clear={() => go(place.page === "changes" ? CLEAR : place.page === "suspects" ? { why: "", q: "" } : place.page === "by-document" ? { find: "" } : { name: "", by: "" })}
    />
  );
}

/** The suspects as listed, and what was flagged. */
function exportsOf(p: Payload, { place, suspects, flags }: View): Export[] {
  const type = "application/jsonl";
  const number = flaggedDocuments(p, flags).reduce((sum, one) => sum + one.flags.length, 0);
  return [
    ...(place.page === "suspects" ? [{ id: "suspects", name: `${plural(suspects.length, "suspect")} as listed, JSON Lines`, file: "-suspects.jsonl", type, text: () => listing(p, suspects) }] : []),
    ...(number ? [{ id: "corrections", name: `Corrections from ${plural(number, "flag")}`, file: "-corrections.jsonl", type, text: () => corrections(p, flags) }] : []),
  ];
}

/** The signs of the changes, for the help. */
function Signs({ changes }: { changes: string[] }) {
  return (
    <>
      <h3>Signs</h3>
      <p>Gold stands above the text, run A below it, run B below that. The colour is the label, the pattern what became of it.</p>
      <dl class="keys">
        {changes.map((change) => (
          <div key={change}>
            <dt>
              <span class={`swatch ${changeSign(change).fill}`} /> <span class="glyph">{changeSign(change).glyph}</span> {change}
            </dt>
            <dd>{changeSign(change).says}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
