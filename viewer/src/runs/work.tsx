import type { Job, Try } from "./types";
import { stage } from "./words";
import { WrongBox } from "./wrong";

const VERBS = { score: "Scoring", result: "Taking in", compare: "Comparing", report: "Making the report of" };

/** Jobs that run, wait or have failed. */
export function Jobs({ jobs, end, dismiss, follow }: { jobs: Job[]; end: (job: Job) => void; dismiss: () => void; follow: (job: Job, one: Try) => void }) {
  const live = jobs.filter((job) => job.state === "running" || job.state === "waiting");
  const failed = jobs.filter((job) => job.state === "failed" && job.error);
  if (!live.length && !failed.length) return null;
  return (
    <section class="work" aria-label="Jobs">
      {live.map((job) => (
        <div key={job.id} class="job" data-testid="job">
          <span><b>{VERBS[job.kind]}</b> <bdi>{job.name}</bdi></span>
          <span class="note" role="status">{stage(job)}</span>
          <progress aria-label={`Progress of ${job.name || "the comparison"}`} {...(job.of > 1 ? { value: job.at, max: job.of } : {})} />
          <button class="tool" data-testid="cancel" onClick={() => end(job)} aria-label={`Cancel ${job.name}`}>Cancel</button>
        </div>
      ))}
      {failed.map((job) => (
        <WrongBox key={job.id} wrong={job.error!} title={`${VERBS[job.kind]} ${job.name || "runs"} failed`} close={() => end(job)} follow={(one) => follow(job, one)} />
      ))}
      {failed.length > 1 && <button class="link" data-testid="dismiss" onClick={dismiss}>{`Dismiss all ${failed.length} messages`}</button>}
    </section>
  );
}
