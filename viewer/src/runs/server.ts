import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import type { Job, Lists, Wrong } from "./types";

const EVERY = 4000; // milliseconds between two looks at the server
const EMPTY: Lists = { files: [], more: false, uploads: [], runs: [], jobs: [] };

export interface Server {
  lists: Lists;
  ready: boolean; // whether the lists have come once
  lost: boolean; // whether the server did not answer when asked last
  wrong: Wrong | null;
  setWrong: (wrong: Wrong | null) => void;
  refresh: () => Promise<void>;
  run: (work: () => Promise<unknown>) => Promise<void>; // does something, tells what went wrong, looks again
  ended: Job | null; // the job that ended last
}

/** What the server has, looked at every few seconds; a running job tells its progress itself. */
export function useServer(): Server {
  const [lists, set] = useState(EMPTY);
  const [ready, setReady] = useState(false);
  const [lost, setLost] = useState(false);
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [ended, setEnded] = useState<Job | null>(null);
  const busy = useRef<Promise<void> | null>(null);
  const refresh = useCallback(() => {
    const look = async () => {
      try {
        set(await api.lists());
        setReady(true);
        setLost(false);
      } catch (error) {
        if (error instanceof api.Lost) setLost(true);
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
  const running = lists.jobs.find((job) => job.state === "running" || job.state === "waiting")?.id;
  useEffect(() => {
    if (!running) return;
    return api.follow(running, (job) => {
      set((old) => ({ ...old, jobs: old.jobs.map((one) => (one.id === job.id ? job : one)) }));
      if (["done", "failed", "cancelled"].includes(job.state)) {
        setEnded(job);
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
  return { lists, ready, lost, wrong, setWrong, refresh, run, ended };
}
