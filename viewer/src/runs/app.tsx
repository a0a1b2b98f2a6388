import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { plural } from "../frame/format";
import { useKeys } from "../frame/keys";
import { usePlace } from "../frame/place";
import { Said, say } from "../frame/said";
import { useTheme } from "../frame/theme";
import * as api from "./api";
import { Files } from "./files";
import { GonePage } from "./gone";
import { useServer } from "./server";
import { asked, type Sending, Setup } from "./setup";
import { Runs } from "./table";
import type { File_, Job, Payload, Try } from "./types";
import { format, parse, type Place } from "./url";
import { filled, tried } from "./values";
import { keptWords, sorted } from "./words";
import { Jobs } from "./work";
import { WrongBox } from "./wrong";

const LINKS = { parse, format };
const GREETING = "Drop the files to upload them";

/** A job that was begun here is over: a comparison opens, of the others it is said. */
function ended(job: Job): void {
  if (job.state === "done" && job.kind === "compare" && job.page) location.href = job.page;
  else say(`${job.name}: ${job.state}`);
  if (job.state === "failed") setTimeout(() => show(-1)); // its message, the newest, is drawn by then
}

/** Bring a message to where it is seen: on narrow screens all of them stand below the form. */
const show = (at: number) => [...document.querySelectorAll(".wrong")].at(at)?.scrollIntoView({ block: "nearest" });

/** Files that were dropped onto a slot: one gold, any number of predictions. */
const placed = (sent: File_[], side: "gold" | "pred") => ({ gold: side === "gold" ? sent[0] : null, preds: side === "pred" ? sent : [], results: [] as File_[] });

export const App = ({ payload }: { payload: Payload }) => (payload.told ? <GonePage told={payload.told} /> : <Panel payload={payload} />);

function Panel({ payload }: { payload: Payload }) {
  const server = useServer(ended);
  const [place, go] = usePlace(LINKS);
  const [sending, setSending] = useState<Sending[]>([]);
  const { lists } = server;
  const files = useMemo(() => new Map([...lists.files, ...lists.uploads].map((file) => [file.id, file])), [lists]);
  const gold = files.get(place.gold ?? "") ?? null;
  const preds = useMemo(() => place.preds.flatMap((id) => files.get(id) ?? []), [files, place.preds]);
  const [open, setOpen] = useState(() => Object.keys(place.more).length > 0);
  const [ofSide, setSide] = useState("");
  const [field, look] = useState(""); // that is to be filled in: it has the focus as soon as it is drawn

  const add = (file: File_) => void server.run(() => server.begin({ result: file.id }));
  const take = (chosen: File[], side: "gold" | "pred" | null) =>
    void server.run(async () => {
      if (!chosen.length) return;
      const going = chosen.map((file) => ({ name: file.name, gone: 0, size: file.size }));
      setSending((old) => [...old, ...going]);
      try {
        const sent: File_[] = [];
        for (const [at, file] of chosen.entries()) {
          sent.push(await api.upload(file, payload.limits.upload, payload.limits.said, (gone) => {
            going[at].gone = gone;
            setSending((old) => [...old]);
          }));
        }
        const put = side && sent.every((file) => file.looks !== "result") ? placed(sent, side) : sorted(sent, { gold: gold !== null, pred: preds.length > 0 });
        go({ ...(put.gold ? { gold: put.gold.id } : {}), ...(put.preds.length ? { preds: put.preds.map((file) => file.id) } : {}) });
        for (const file of put.results) await server.begin({ result: file.id });
        say(`${plural(sent.length, "file")} uploaded`);
      } finally {
        setSending((old) => old.filter((one) => !going.includes(one)));
      }
    });
  const begin = async (from: Place) => {
    for (const id of from.preds.length ? from.preds : [null]) await server.begin(asked(payload, from, id));
  };
  const score = () => gold && void server.run(() => begin({ ...place, preds: preds.map((file) => file.id) }));
  /** Do what an error proposes: with the form, and at once where nothing is left to be said. */
  const follow = (from: Partial<Place>, one: Try, done: () => Promise<unknown>) => {
    const { change, focus } = tried({ ...place, ...from }, one);
    const next = { ...place, ...from, ...change };
    go({ ...from, ...change });
    if (focus === null) return void server.run(async () => { await done(); await begin(next); });
    setOpen(true);
    setSide(/^o-(gold_|pred_)/.exec(focus)?.[1] ?? "");
    look(focus);
  };
  const compare = () => void server.run(() => server.begin({ compare: place.pick }));

  useLayoutEffect(() => void (server.wrong && show(0)), [server.wrong]);
  useLayoutEffect(() => {
    const found = field && document.getElementById(field);
    if (!found) return;
    found.focus();
    look("");
  });
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
          <Setup payload={payload} place={place} go={go} gold={gold} preds={preds} sending={sending} take={take} score={score} further={{ open, setOpen, side: ofSide, setSide }} />
        </div>
        <div class="column">
          {server.wrong && <WrongBox wrong={server.wrong} close={() => server.setWrong(null)} follow={(one) => follow({}, one, async () => {})} />}
          <Jobs jobs={lists.jobs} end={(job) => void server.run(() => api.endJob(job.id))} dismiss={() => void server.run(api.dismiss)} follow={(job, one) => follow({ ...filled(payload, job.asked), name: job.name }, one, () => api.endJob(job.id))} />
          <Runs
            runs={lists.runs}
            pick={place.pick}
            setPick={(pick) => go({ pick })}
            compare={compare}
            drop={(run) => {
              go({ pick: place.pick.filter((id) => id !== run.id) });
              void server.run(() => api.dropRun(run.id));
            }}
            deleted={lists.deleted}
            change={(id, by) => void server.run(() => api.change(id, by))}
            board={place.board}
            sort={place.sort}
            go={go}
            kept={keptWords(payload, lists.used)}
          />
          <Files lists={lists} ready={server.ready} gold={place.gold} preds={place.preds} choose={(side, file) => go(side === "gold" ? { gold: file.id } : { preds: [file.id] })} add={add} drop={(file) => void server.run(() => api.dropUpload(file.id))} />
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
