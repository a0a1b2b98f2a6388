import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { About } from "./about";
import { colours, support } from "./colours";
import { build } from "./corpus";
import { Errors } from "./errors";
import { find, Lower, nearest } from "./filter";
import { Header } from "./header";
import { Help } from "./help";
import { useKeys } from "./keys";
import { Leaks } from "./leaks";
import type { Model, View } from "./model";
import { Overview } from "./overview";
import { verdictsAt } from "./step";
import { useStored, useTheme } from "./theme";
import type { Payload } from "./types";
import { format, parse, type Names, type Page, type Place } from "./url";

export function namesOf(p: Payload): Names {
  const c = p.corpus;
  const pages: Page[] = ["overview"];
  if (c) pages.push("errors");
  if (p.leaks) pages.push("leaks");
  pages.push("about");
  return {
    labels: p.labels,
    kinds: p.kinds,
    steps: c?.steps.length ?? 1,
    at: c?.at ?? 0,
    documents: c?.names.length ?? 0,
    spans: c ? c.gold.doc.length + c.pred.doc.length : 0,
    pages,
  };
}

/** The place in the link and in the page, kept the same. Links are written late: browsers count the writes. */
function usePlace(names: Names): [Place, (change: Partial<Place>) => void] {
  const [place, set] = useState(() => parse(location.hash, names));
  useEffect(() => {
    const follow = () => set(parse(location.hash, names));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, [names]);
  useEffect(() => {
    const late = setTimeout(() => {
      const hash = format(place, names);
      if (location.hash !== hash) history.replaceState(null, "", hash);
    }, 200);
    return () => clearTimeout(late);
  }, [place, names]);
  const change = useCallback(
    (by: Partial<Place>) =>
      set((old) => {
        const next = { ...old, ...by };
        if (next.page !== old.page) {
          history.replaceState(null, "", format(old, names)); // what Back should find
          history.pushState(null, "", format(next, names));
          scrollTo(0, 0);
        }
        return next;
      }),
    [names],
  );
  return [place, change];
}

export function App({ payload }: { payload: Payload }) {
  const model: Model = useMemo(
    () => ({
      payload,
      names: namesOf(payload),
      corpus: payload.corpus && build(payload.corpus),
      colours: colours(payload.labels, support(payload)),
    }),
    [payload],
  );
  const { corpus, names } = model;
  const [place, go] = usePlace(names);
  const theme = useTheme();
  const [keysOn, setKeysOn] = useStored("keys", "on");
  const [help, setHelp] = useState(false);
  const [menu, setMenu] = useState(false);
  const [mode, setMode] = useState<"lanes" | "sides">("lanes");
  const [said, say] = useState("");
  useEffect(() => {
    const late = setTimeout(() => say(""), 4000);
    return () => clearTimeout(late);
  }, [said]);
  const lower = useRef(new Lower());
  const verdicts = useMemo(() => corpus && verdictsAt(corpus, place.step), [corpus, place.step]);
  const found = useMemo(
    () => corpus && verdicts && find(corpus, verdicts, place, payload.labels.length, payload.kinds.length, lower.current),
    [corpus, verdicts, place.kinds, place.label, place.pair, place.doc, place.q],
  );
  const current = corpus && found ? nearest(corpus, found.rows, place.sel) : -1;
  const view: View = { place, go, verdicts, found, current, mode, setMode, say };
  useKeys({ model, view, theme, setHelp, setMenu, on: keysOn === "on" });
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        Skip to the page
      </a>
      <Header model={model} view={view} theme={theme} menu={menu} setMenu={setMenu} openHelp={() => setHelp(true)} />
      <main id="main" tabIndex={-1}>
        {place.page === "overview" && <Overview model={model} view={view} />}
        {place.page === "errors" && <Errors model={model} view={view} />}
        {place.page === "leaks" && <Leaks payload={payload} />}
        {place.page === "about" && <About payload={payload} say={say} />}
      </main>
      {help && <Help model={model} on={keysOn === "on"} set={(on) => setKeysOn(on ? "on" : "off")} close={() => setHelp(false)} />}
      <div class="said" role="status" aria-live="polite">
        {said}
      </div>
    </>
  );
}

/** The hash is ours, so the link may not change it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
