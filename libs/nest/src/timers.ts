import type { Logger } from 'pino';

/** Repeated work of a service: one run at a time, stopped with the process. */
export interface Timers {
  /** Runs `job` `milliseconds` after its previous run ended; a failing run is logged and the next one comes. */
  every(name: string, milliseconds: number, job: (signal: AbortSignal) => Promise<void>): void;
  stop(): Promise<void>;
}

export function createTimers(logger: Logger): Timers {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  async function loop(name: string, milliseconds: number, job: (signal: AbortSignal) => Promise<void>): Promise<void> {
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
      const loops = loop(name, milliseconds, job);
      running.add(loops);
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** Waits, or returns at once when the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}
