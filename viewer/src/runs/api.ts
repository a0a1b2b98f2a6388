import type { File_, Job, Lists, Wrong } from "./types";

/** An error as the server tells it: the library's own fields. */
export class Told extends Error {
  constructor(readonly wrong: Wrong) {
    super(wrong.what);
  }
}

/** The server could not be reached at all. */
export class Lost extends Error {}

const ROOT = "/"; // a page that is shown instead of a run lies deeper

export const wrongOf = (what: string): Wrong => ({ kind: "", what, where: "", expected: "", hint: "" });

async function ask<T>(address: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  let found: { error?: Wrong };
  try {
    answer = await fetch(address, { ...init, signal: init.signal ?? AbortSignal.timeout(30_000) });
    found = (await answer.json()) as { error?: Wrong };
  } catch {
    throw new Lost("the server does not answer");
  }
  if (!answer.ok) throw new Told(found.error ?? wrongOf(`the server answered ${answer.status}`));
  return found as T;
}

export async function lists(): Promise<Lists> {
  const [files, runs] = await Promise.all([ask<Lists>("api/files"), ask<Lists>("api/runs")]);
  return { ...files, ...runs };
}

/** Send a file as it is. A server that refuses a large one closes the connection, so its size is looked at first. */
export async function upload(file: File, most: number, said: string, news: (gone: number) => void = () => {}): Promise<File_> {
  if (file.size > most) {
    throw new Told({ ...wrongOf(`the file has more than ${said}`), where: file.name, hint: "spanscope serve --limit 2GB" });
  }
  try {
    await file.slice(0, 1).arrayBuffer(); // of a folder, or of a file that was moved meanwhile, this fails
  } catch {
    throw new Told({ ...wrongOf("the browser cannot read it"), where: file.name, expected: "a file, not a folder" });
  }
  return send(`api/upload?name=${encodeURIComponent(file.name.replace(/\p{Surrogate}/gu, "_"))}`, file, news);
}

/** Send the bytes of a file and tell how many have gone; only the old kind of request tells that. */
function send(address: string, file: File, news: (gone: number) => void): Promise<File_> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.timeout = 3_600_000;
    request.upload.onprogress = (event) => news(event.loaded);
    request.onerror = request.ontimeout = () => failed(new Lost("the server does not answer"));
    request.onload = () => {
      try {
        const found = JSON.parse(request.responseText) as File_ & { error?: Wrong };
        if (request.status === 200) done(found);
        else failed(new Told(found.error ?? wrongOf(`the server answered ${request.status}`)));
      } catch {
        failed(new Lost("the server does not answer"));
      }
    };
    request.send(file);
  });
}

export const submit = (asked: Record<string, unknown>): Promise<Job> =>
  ask<Job>("api/jobs", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) });

export const job = (id: string): Promise<Job> => ask<Job>(`api/jobs/${id}`);
export const endJob = (id: string): Promise<Job> => ask<Job>(`api/jobs/${id}`, { method: "DELETE" });
export const dropRun = (id: string): Promise<unknown> => ask(`api/runs/${id}`, { method: "DELETE" });

export const dropUpload = (id: string): Promise<unknown> => ask(`api/uploads/${id}`, { method: "DELETE" });
export const dismiss = (): Promise<unknown> => ask("api/jobs", { method: "DELETE" });

/** Give a run another name or note, or have back one that was deleted. */
export const change = (id: string, by: { name?: string; note?: string; deleted?: false }): Promise<unknown> =>
  ask(`${ROOT}api/runs/${id}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(by) });

export const isOver = (job: Job): boolean => ["done", "failed", "cancelled"].includes(job.state);

/** News of a job as they come; where the stream breaks, asked for every second. Returns how to stop. */
export function follow(id: string, news: (job: Job) => void): () => void {
  const stream = new EventSource(`api/jobs/${id}/events`);
  let timer = 0;
  const over = (found: Job) => {
    news(found);
    if (isOver(found)) stop();
  };
  const stop = () => {
    stream.close();
    clearInterval(timer);
  };
  stream.onmessage = (event) => over(JSON.parse(event.data as string) as Job);
  stream.onerror = () => {
    stream.close();
    if (!timer) timer = window.setInterval(() => void job(id).then(over, () => {}), 1000);
  };
  return stop;
}
