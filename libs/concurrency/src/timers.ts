import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { pause } from './retry';

export type Job = (signal: AbortSignal) => Promise<void>;

/** Repeated jobs of a service, each with one run at a time, from the start of the process until it stops. */
export interface Timers {
  /** Aborts when the timers stop. */
  readonly stopping: AbortSignal;
  /** Runs `job` at the start and again `milliseconds` after each run has ended. A failed run is logged. */
  every(name: string, milliseconds: number, job: Job): void;
  /** Runs `work` when the process stops, after the last run of every job has ended. */
  onStop(work: () => Promise<void>): void;
  /** Called once every handler of the process is reachable. Jobs registered earlier start now. */
  start(): void;
  stop(): Promise<void>;
}

export function createTimers(logger: Logger): Timers {
  const stopping = new AbortController();
  // Every job listens to the signal while it pauses, so Node's warning about too many listeners is turned off.
  setMaxListeners(0, stopping.signal);
  const loops: Promise<void>[] = [];
  const waiting: (() => void)[] = [];
  const last: (() => Promise<void>)[] = [];
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
    stopping: stopping.signal,
    every(name, milliseconds, job) {
      const run = () => void loops.push(loop(name, milliseconds, job));
      if (started) run();
      else waiting.push(run);
    },
    onStop: (work) => void last.push(work),
    start() {
      started = true;
      for (const run of waiting.splice(0)) run();
    },
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      await Promise.all(last.map((work) => work()));
    },
  };
}
