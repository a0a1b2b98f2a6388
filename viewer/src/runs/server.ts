import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import type { Job, Lists, Wrong } from "./types";

const EVERY = 4000; // milliseconds between two looks at the server
const EMPTY: Lists = { files: [], more: false, there: true, uploads: [], runs: [], used: "nothing", deleted: [], jobs: [] };

export interface Server {
  lists: Lists;
  ready: boolean; // whether the lists have come once
  lost: boolean; // whether the server did not answer when asked last
  wrong: Wrong | null;
  setWrong: (wrong: Wrong | null) => void;
  refresh: () => Promise<void>;
  run: (work: () => Promise<unknown>) => Promise<void>; // does something, tells what went wrong, looks again
  begin: (asked: Record<string, unknown>) => Promise<void>; // submits a job; its end is told
}

/** What the server has, looked at every few seconds; a running job tells its progress itself. */
export function useServer(ended: (job: Job) => void): Server {
  const [lists, set] = useState(EMPTY);
  const [ready, setReady] = useState(false);
  const [lost, setLost] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const begun = useRef(new Set<string>()); // jobs begun here whose end was not told yet
  const end = (job: Job) => api.isOver(job) && begun.current.delete(job.id) && ended(job);
  const busy = useRef<Promise<void> | null>(null);
  const refresh = useCallback(() => {
    const look = async () => {
      try {
        const found = await api.lists();
        set(found);
        setReady(true);
        setLost(false);
        const live = new Set(found.jobs.filter((job) => !api.isOver(job)).map((job) => job.id));
        for (const id of begun.current) {
          if (!live.has(id)) void api.job(id).then(end, (error) => error instanceof api.Told && begun.current.delete(id));
        }
      } catch (error) {
        if (error instanceof api.Lost) setLost(true);
        else if (error instanceof api.Told) setWrong(error.wrong);
      }
      busy.current = null;
    };
    busy.current ??= look();
    return busy.current;
  }, []);
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), EVERY);
    return () => clearInterval(timer);
  }, []);
  const running = lists.jobs.find((job) => !api.isOver(job))?.id;
  useEffect(() => {
    if (!running) return;
    return api.follow(running, (job) => {
      set((old) => ({ ...old, jobs: old.jobs.map((one) => (one.id === job.id ? job : one)) }));
      if (api.isOver(job)) {
        end(job);
        void refresh();
      }
    });
  }, [running]);
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setWrong(null);
    try {
      await work();
    } catch (error) {
      if (error instanceof api.Told) setWrong(error.wrong);
      else if (error instanceof api.Lost) setLost(true);
      else throw error;
    }
    await busy.current; // a look that began before the work does not know of it
    await refresh();
  }, []);
  const begin = useCallback(async (asked: Record<string, unknown>) => void begun.current.add((await api.submit(asked)).id), []);
  return { lists, ready, lost, wrong, setWrong, refresh, run, begin };
}
