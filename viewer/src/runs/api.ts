import type { File_, Job, Lists, Wrong } from "./types";

/** An error as the server tells it: the library's own fields. */
export class Told extends Error {
  constructor(readonly wrong: Wrong) {
    super(wrong.what);
  }
}

/** The server could not be reached at all. */
export class Lost extends Error {}

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
export async function upload(file: File, most: number, said: string): Promise<File_> {
  if (file.size > most) {
    throw new Told({ ...wrongOf(`the file has more than ${said}`), where: file.name, hint: "spanscope serve --limit 2GB" });
  }
  try {
    await file.slice(0, 1).arrayBuffer(); // of a folder, or of a file that was moved meanwhile, this fails
  } catch {
    throw new Told({ ...wrongOf("the browser cannot read it"), where: file.name, expected: "a file, not a folder" });
  }
  return ask<File_>(`api/upload?name=${encodeURIComponent(file.name.replace(/\p{Surrogate}/gu, "_"))}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
    signal: AbortSignal.timeout(600_000),
  });
}

export const submit = (asked: Record<string, unknown>): Promise<Job> =>
  ask<Job>("api/jobs", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) });

export const job = (id: string): Promise<Job> => ask<Job>(`api/jobs/${id}`);
export const endJob = (id: string): Promise<Job> => ask<Job>(`api/jobs/${id}`, { method: "DELETE" });
export const dropRun = (id: string): Promise<unknown> => ask(`api/runs/${id}`, { method: "DELETE" });

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
