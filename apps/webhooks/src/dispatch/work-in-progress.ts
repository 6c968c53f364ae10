import { setMaxListeners } from 'node:events';
import { pause, retry } from '@ponte/concurrency';
import { safeError } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import { MAX_IN_FLIGHT } from './endpoint-concurrency-limiter';

/** Requests of all endpoints together; from half of it on, no one gets a second one. */
const MAX_TOTAL = 1_024;
/** How long running attempts may take to end by themselves at a stop. */
const STOP_GRACE_MS = 2_000;

/** The attempts that are under way in this process, and the signal that cuts them off when it stops. */
export class WorkInProgress {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly logger: Logger) {
    // Everything that is tried again listens to it meanwhile: more than Node's guess of a leak are none.
    setMaxListeners(0, this.signal);
  }

  get isEmpty(): boolean {
    return this.running.size === 0;
  }

  /** What one endpoint may have under way, as far as the process can spare it. */
  get ceiling(): number {
    if (this.running.size >= MAX_TOTAL) return 0;
    return this.running.size >= MAX_TOTAL / 2 ? 1 : MAX_IN_FLIGHT;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** `ended` is called when the work has ended, well or badly; its failure is the caller's. */
  add(work: Promise<unknown>, ended: () => void): void {
    const end = (): void => {
      this.running.delete(running);
      ended();
    };
    const running: Promise<void> = work.then(end, end);
    this.running.add(running);
  }

  /** Repeats work that may be repeated until it succeeds; rejects only when this process stops. */
  persistently<T>(work: () => Promise<T>): Promise<T> {
    return retry(work, {
      signal: this.signal,
      onRetry: (error) =>
        this.logger.error(
          { error: safeError(error).name },
          'a webhook delivery could not be recorded and is tried again',
        ),
    });
  }

  /** Resolves when nothing is under way any more; `close` cuts the requests that did not end by themselves. */
  async stop(close: () => Promise<void>): Promise<void> {
    const ended = new AbortController();
    const graceful = Promise.all(this.running).finally(() => ended.abort());
    await Promise.race([graceful, pause(STOP_GRACE_MS, ended.signal)]);
    this.stopping.abort();
    await close();
    await Promise.all(this.running);
  }
}
