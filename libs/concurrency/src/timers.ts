import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';

export type Job = (signal: AbortSignal) => Promise<void>;

/** Repeated work of a service: one run at a time, from the moment the process is up until it stops. */
export interface Timers {
  /** Runs `job`, and again `milliseconds` after each run ended; a failing run is logged and the next one comes. */
  every(name: string, milliseconds: number, job: Job): void;
  /** Called once every handler of the process is reachable: jobs registered before wait for it. */
  start(): void;
  stop(): Promise<void>;
}

export function createTimers(logger: Logger): Timers {
  const stopping = new AbortController();
  // Each job listens to it while it pauses: more of them than Node's guess of a leak are none.
  setMaxListeners(0, stopping.signal);
  const loops: Promise<void>[] = [];
  const waiting: (() => void)[] = [];
  let started = false;

  async function loop(name: string, milliseconds: number, job: Job): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await job(stopping.signal);
      } catch (error) {
        if (!stopping.signal.aborted) logger.error({ err: error, job: name }, 'a repeated job failed');
      }
      await pause(milliseconds, stopping.signal);
    }
  }

  return {
    every(name, milliseconds, job) {
      const run = () => void loops.push(loop(name, milliseconds, job));
      if (started) run();
      else waiting.push(run);
    },
    start() {
      started = true;
      for (const run of waiting.splice(0)) run();
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** Waits, or returns at once when the signal aborts. With `ref` false the wait does not keep the process alive. */
export function pause(milliseconds: number, signal?: AbortSignal, { ref = true } = {}): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', done);
  });
}
