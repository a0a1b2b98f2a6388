import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Exports, type Export } from "./exports";
import { Help, type KeyLine } from "./help";
import { useKeys } from "./keys";
import { Said } from "./said";
import { useStored, useTheme } from "./theme";
import type { Framed } from "./types";

/** One page behind a tab. The first letter of its id, after "g", opens it. */
export interface Sheet {
  id: string;
  name: string;
  body: () => ComponentChildren;
}

interface Props {
  payload: Framed;
  sheets: Sheet[];
  page: string;
  go: (page: string) => void;
  figures?: ComponentChildren; // stand in the header of every page
  keys?: KeyLine[]; // of the pages themselves, for the help
  legend?: ComponentChildren; // under the keys
  more?: Export[]; // what this page can save besides its figures
  act?: (key: string, event: KeyboardEvent) => boolean;
  clear?: () => void;
}

/** What stands around every page: the title, the settings line, the tabs, exports, theme, keys and help. */
export function Frame({ payload, sheets, page, go, figures, keys = [], legend, more = [], act = () => false, clear = () => {} }: Props) {
  const theme = useTheme();
  const [keysOn, setKeysOn] = useStored("keys", "on");
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const on = keysOn === "on";
  useKeys({ pages: sheets.map((sheet) => sheet.id), go, toggleTheme: theme.toggle, setHelp, setMenu, act, clear, on });
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the page
      </a>
      <header class="top">
        <div class="bar">
          <div class="name">
            <h1 title={payload.title}>
              <bdi>{payload.title}</bdi>
            </h1>
            <p class="settings" title={payload.line}>
              <span class="family">{payload.family}</span>
              <span class="signature">{payload.line}</span>
            </p>
          </div>
          {figures}
          <div class="tools">
            <Exports payload={payload} more={more} open={menu} setOpen={setMenu} />
            <button class="tool" data-testid="theme" onClick={theme.toggle}>
              {theme.dark ? "Light" : "Dark"}
              <span class="hidden"> theme</span> <kbd aria-hidden="true">d</kbd>
            </button>
            <button class="tool" data-testid="help" onClick={() => setHelp(true)}>
              Help <kbd aria-hidden="true">?</kbd>
            </button>
          </div>
        </div>
        <Tabs sheets={sheets} page={page} go={go} home={payload.home} />
      </header>
      <main id="main" tabIndex={-1}>
        {sheets.find((sheet) => sheet.id === page)?.body()}
      </main>
      {help && (
        <Help sheets={sheets} keys={keys} legend={legend} on={on} set={(yes) => setKeysOn(yes ? "on" : "off")} close={() => setHelp(false)} />
      )}
      <Said />
    </>
  );
}

function Tabs({ sheets, page, go, home }: { sheets: Sheet[]; page: string; go: (page: string) => void; home: string | null }) {
  return (
    <nav aria-label="Pages">
      {home && <a href={home}>← Runs</a>}
      {sheets.map(({ id, name }) => (
        <a
          key={id}
          href={`#/${id}`}
          aria-current={page === id ? "page" : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a new tab is the browser's business
            event.preventDefault();
            go(id);
          }}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

/** Figures side by side; on narrow screens they scroll sideways, with the keyboard too. */
export const Figures = ({ children }: { children: ComponentChildren }) => <dl class="scores" tabIndex={0}>{children}</dl>;

export function Figure({ name, value, id }: { name: string; value: string; id: string }) {
  return (
    <div class={`figure ${id}`}>
      <dt>{name}</dt>
      <dd data-testid={id}>{value}</dd>
    </div>
  );
}

/** The hash is ours, so the link may not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
