import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { plural } from "../frame/format";
import { useKeys } from "../frame/keys";
import { usePlace } from "../frame/place";
import { Said, say } from "../frame/said";
import { useTheme } from "../frame/theme";
import * as api from "./api";
import { Files } from "./files";
import { useServer } from "./server";
import { asked, Setup } from "./setup";
import { Runs } from "./table";
import type { File_, Job, Payload } from "./types";
import { format, parse } from "./url";
import { sorted } from "./words";
import { Jobs } from "./work";
import { WrongBox } from "./wrong";

const LINKS = { parse, format };
const GREETING = "Drop the files to upload them";

/** A job that was begun here is over: a comparison opens, of the others it is said. */
function ended(job: Job): void {
  if (job.state === "done" && job.kind === "compare" && job.page) location.href = job.page;
  else say(`${job.name}: ${job.state}`);
}

export function App({ payload }: { payload: Payload }) {
  const server = useServer(ended);
  const [place, go] = usePlace(LINKS);
  const [sending, setSending] = useState(0);
  const { lists } = server;
  const files = useMemo(() => new Map([...lists.files, ...lists.uploads].map((file) => [file.id, file])), [lists]);
  const gold = files.get(place.gold ?? "") ?? null;
  const pred = files.get(place.pred ?? "") ?? null;

  const add = (file: File_) => void server.run(() => server.begin({ result: file.id }));
  const take = (chosen: File[], side: "gold" | "pred" | null) =>
    void server.run(async () => {
      if (!chosen.length) return;
      setSending((n) => n + chosen.length);
      try {
        const sent: File_[] = [];
        for (const file of chosen) sent.push(await api.upload(file, payload.limits.upload, payload.limits.said));
        const put = side && sent.length === 1 && sent[0].looks !== "result" ? { gold: null, pred: null, results: [], [side]: sent[0] } : sorted(sent, { gold: gold !== null, pred: pred !== null });
        go({ ...(put.gold ? { gold: put.gold.id } : {}), ...(put.pred ? { pred: put.pred.id } : {}) });
        for (const file of put.results) await server.begin({ result: file.id });
        say(`${plural(sent.length, "file")} uploaded`);
      } finally {
        setSending((n) => n - chosen.length);
      }
    });
  const score = () => gold && void server.run(() => server.begin({ ...asked(payload, place), gold: gold.id, pred: pred?.id ?? null }));
  const compare = () => void server.run(() => server.begin({ compare: place.pick }));

  const over = useDrop((dropped) => take(dropped, null));
  const theme = useTheme();
  useKeys({
    pages: [], go: () => {}, toggleTheme: theme.toggle, setHelp: () => {}, setMenu: () => {}, clear: () => server.setWrong(null), on: true,
    act: (key) => key === "/" && (document.getElementById("find")?.focus(), true),
  });
  return (
    <>
      <header class="top">
        <div class="bar">
          <div class="name">
            <h1><bdi>{payload.title}</bdi></h1>
            <p class="settings"><span class="family">Spanscope {payload.spanscope}</span><bdi class="signature" title={payload.line}>{payload.line}</bdi></p>
          </div>
          <div class="tools">
            <button class="tool" data-testid="theme" onClick={theme.toggle}>
              {theme.dark ? "Light" : "Dark"}<span class="hidden"> theme</span> <kbd aria-hidden="true">d</kbd>
            </button>
          </div>
        </div>
      </header>
      <div class="banner" role="alert">{server.lost && "The server does not answer; retrying. What you chose is kept."}</div>
      <main id="main" class="panel" tabIndex={-1}>
        <div>
          <Setup payload={payload} place={place} go={go} gold={gold} pred={pred} sending={sending} take={take} score={score} />
        </div>
        <div class="column">
          {server.wrong && <WrongBox wrong={server.wrong} close={() => server.setWrong(null)} />}
          <Jobs jobs={lists.jobs} end={(job) => void server.run(() => api.endJob(job.id))} />
          <Runs
            runs={lists.runs}
            pick={place.pick}
            setPick={(pick) => go({ pick })}
            compare={compare}
            drop={(run) => {
              go({ pick: place.pick.filter((id) => id !== run.id) });
              void server.run(() => api.dropRun(run.id));
            }}
            most={payload.limits.runs}
          />
          <Files lists={lists} ready={server.ready} gold={place.gold} pred={place.pred} choose={(side, file) => go({ [side]: file.id })} add={add} />
        </div>
      </main>
      {over && <div class="dropping" aria-hidden="true">{GREETING}</div>}
      <Said />
    </>
  );
}

/** Files dropped anywhere on the page; tells whether some hang over it. */
function useDrop(take: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  useLayoutEffect(() => {
    const hangs = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(true);
    };
    const leaves = (event: DragEvent) => event.relatedTarget === null && setOver(false);
    const drops = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length) take(files);
    };
    const clear = () => setOver(false);
    addEventListener("dragover", hangs);
    addEventListener("dragleave", leaves);
    addEventListener("drop", drops);
    addEventListener("drop", clear, true);
    return () => {
      removeEventListener("dragover", hangs);
      removeEventListener("dragleave", leaves);
      removeEventListener("drop", drops);
      removeEventListener("drop", clear, true);
    };
  });
  return over;
}
