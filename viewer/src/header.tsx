import { Exports } from "./exports";
import { rate, threshold, title } from "./format";
import type { Model, View } from "./model";
import type { Theme } from "./theme";
import type { Num, Payload } from "./types";

const PAGES = { overview: "Overview", errors: "Errors", leaks: "Leaks", about: "About" };

interface Props {
  model: Model;
  view: View;
  theme: Theme;
  menu: boolean;
  setMenu: (open: boolean) => void;
  openHelp: () => void;
}

export function Header({ model, view, theme, menu, setMenu, openHelp }: Props) {
  const { payload, names } = model;
  return (
    <header class="top">
      <div class="bar">
        <div class="name">
          <h1>
            <bdi>{payload.title}</bdi>
          </h1>
          <p class="settings" title={payload.signatures[payload.headline] ?? ""}>
            <span class="family">{payload.family}</span>
            <span class="signature">{payload.signatures[payload.headline] ?? ""}</span>
          </p>
        </div>
        <Scores model={model} view={view} />
        <div class="tools">
          <Exports payload={payload} open={menu} setOpen={setMenu} />
          <button class="tool" data-testid="theme" onClick={theme.toggle}>
            {theme.dark ? "Light" : "Dark"}
            <span class="hidden"> theme</span> <kbd aria-hidden="true">d</kbd>
          </button>
          <button class="tool" data-testid="help" onClick={openHelp}>
            Help <kbd aria-hidden="true">?</kbd>
          </button>
        </div>
      </div>
      <nav aria-label="Pages">
        {names.pages.map((page) => (
          <a
            key={page}
            href={`#/${page}`}
            aria-current={view.place.page === page ? "page" : undefined}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is the browser's business
              event.preventDefault();
              view.go({ page });
            }}
          >
            {PAGES[page]}
          </a>
        ))}
      </nav>
    </header>
  );
}

/** The figures at the slider's step; for families without documents in the file, those of the headline measure. */
function Scores({ model, view }: { model: Model; view: View }) {
  const corpus = model.payload.corpus;
  if (!corpus) {
    return (
      <dl class="scores">
        {headline(model.payload).map(([name, value]) => (
          <Figure key={name} name={title(name)} value={rate(value)} id={name} />
        ))}
      </dl>
    );
  }
  const at = corpus.whole[view.place.step];
  return (
    <dl class="scores">
      {corpus.steps.length > 1 && <Figure name="Threshold" value={threshold(corpus.steps[view.place.step])} id="step" />}
      <Figure name="F1" value={rate(at.f1)} id="f1" />
      <Figure name="Precision" value={rate(at.precision)} id="precision" />
      <Figure name="Recall" value={rate(at.recall)} id="recall" />
      <Figure name="TP" value={String(at.tp)} id="tp" />
      <Figure name="Predicted" value={String(at.pred)} id="pred" />
      <Figure name="Gold" value={String(at.gold)} id="gold" />
    </dl>
  );
}

function Figure({ name, value, id }: { name: string; value: string; id: string }) {
  return (
    <div class={`figure ${id}`}>
      <dt>{name}</dt>
      <dd data-testid={id}>{value}</dd>
    </div>
  );
}

/** Up to four overall figures of the headline measure: its first average, one for each rate. */
export function headline(p: Payload): [name: string, value: Num][] {
  const rows = p.rows.filter((row) => row[0] === p.headline && row[3] === null);
  const average = rows[0]?.[2];
  return rows.filter((row) => row[2] === average).slice(0, 4).map((row) => [row[1], row[4]]);
}
