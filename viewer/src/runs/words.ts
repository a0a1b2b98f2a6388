import { count, plural } from "../frame/format";
import type { File_, Job, Payload, Run } from "./types";

const STAGES: Record<string, string> = { read: "reading", page: "making the page" };

/** A size for reading: three digits at most, as the server says limits. */
export function size(bytes: number): string {
  for (const [unit, of] of [["GB", 1e9], ["MB", 1e6], ["KB", 1e3]] as const) {
    if (bytes >= of) return `${Number((bytes / of).toPrecision(3))} ${unit}`;
  }
  return `${bytes} B`;
}

/** When something was, as the reader's clock says it: today the time, else the date too. */
export function when(seconds: number, now = new Date()): string {
  const then = new Date(seconds * 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  const day = `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
  return then.toDateString() === now.toDateString() ? time : `${day} ${time}`;
}

export function stage(job: Job): string {
  if (job.state === "waiting") return "waits for its turn";
  const name = STAGES[job.stage] ?? (job.stage || "starting");
  if (name.startsWith("reading")) return job.of > 1 ? `${name}, ${size(job.at)} of ${size(job.of)}` : name;
  return job.of > 1 ? `${name}, ${count(job.at)} of ${count(job.of)}` : name;
}

/** Which slot each of some dropped files goes to: by what they look like, then gold first; several predictions are several runs. */
export function sorted(files: File_[], taken: { gold: boolean; pred: boolean }): { gold: File_ | null; preds: File_[]; results: File_[] } {
  const results = files.filter((file) => file.looks === "result");
  const rest = files.filter((file) => file.looks !== "result");
  let gold = rest.find((file) => file.looks === "gold") ?? null;
  const others = rest.filter((file) => file !== gold && file.looks !== "pred");
  if (!gold && !taken.gold && others.length) gold = others.shift() ?? null;
  return { gold, preds: rest.filter((file) => file !== gold), results };
}

/** Why the picked runs cannot be compared; null where they can. */
export function hindrance(picked: Run[], most = 8): string | null {
  if (picked.length < 2) return "Pick two runs or more.";
  if (picked.length > most) return `Pick at most ${most} runs.`;
  if (picked.some((run) => run.alike === null)) return "A page of several segmentations cannot be compared.";
  if (picked.some((run) => run.alike !== picked[0].alike)) return "These runs have another gold, other documents or other settings.";
  return null;
}

/** Where things are kept, how much of the room is used, and how long uploads stay. */
export function keptWords({ kept, limits }: Payload, used: string): string {
  const uploads = limits.days ? `uploads for ${plural(limits.days, "day")}` : "uploads until the server stops";
  return `Kept in ${kept}, for you alone: runs until you delete them, ${uploads}. ${used} of ${limits.total} used.`;
}
