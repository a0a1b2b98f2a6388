import { useMemo, useState } from "preact/hooks";
import { docOf } from "./corpus";
import { wanted } from "./filter";
import { count } from "../frame/format";
import { List } from "../frame/list";
import type { Model, View } from "./model";
import { codes, groups } from "./order";
import { kindOf } from "./step";

/** Findings by what they have in common; each group opens its findings. */
export function Groups({ model, view, rows }: { model: Model; view: View; rows: Int32Array }) {
  const { place, verdicts } = view;
  const all = useMemo(() => groups(model, verdicts!, rows, place.group), [model, rows, place.group]);
  const [current, choose] = useState(0);
  const open = (at: number) => {
    const { id, name } = all[at];
    const kinds = [...wanted(place, model.payload.kinds.length).entries()].flatMap(([kind, on]) => (on ? kind : []));
    const to = {
      text: { is: name },
      labels: { pair: codes(model, verdicts!, id), kinds },
      kind: { kinds: [kindOf(verdicts!, id)] },
      doc: { doc: docOf(model.corpus!, id) },
    }[place.group];
    view.go({ ...to, group: "" });
  };
  return (
    <List
      label="Groups of findings"
      rows={all.length}
      current={current}
      move={(by) => choose(Math.max(0, Math.min(all.length - 1, current + by)))}
      enter={() => open(current)}
      id={(at) => `group${at}`}
      draw={(at) => (
        <div key={at} id={`group${at}`} class="row group" data-testid="group" role="option" aria-selected={at === current} aria-posinset={at + 1} aria-setsize={all.length} onClick={() => open(at)}>
          <b>{count(all[at].count)}</b>
          <bdi>{all[at].name || "no text"}</bdi>
        </div>
      )}
    />
  );
}
