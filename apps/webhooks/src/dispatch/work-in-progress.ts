import { setMaxListeners } from 'node:events';
import { pause, retry } from '@ponte/concurrency';
import { safeError } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import { MAX_IN_FLIGHT } from './endpoint-concurrency-limiter';

/** Concurrent requests of the process. From half of this number on, each endpoint gets one at a time. */
const MAX_TOTAL = 1_024;
/** How long running attempts may take to finish at shutdown before they are aborted. */
const STOP_GRACE_MS = 2_000;

/** The running attempts of this process, and the signal that aborts them at shutdown. */
export class WorkInProgress {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly logger: Logger) {
    // Every retried operation listens to this signal, so Node's warning about a listener leak would be wrong.
    setMaxListeners(0, this.signal);
  }

  get isEmpty(): boolean {
    return this.running.size === 0;
  }

  /** The number of concurrent requests per endpoint that the process can spare. */
  get ceiling(): number {
    if (this.running.size >= MAX_TOTAL) return 0;
    return this.running.size >= MAX_TOTAL / 2 ? 1 : MAX_IN_FLIGHT;
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** `ended` is called when the work has succeeded or failed; the caller handles a failure. */
  add(work: Promise<unknown>, ended: () => void): void {
    const end = (): void => {
      this.running.delete(running);
      ended();
    };
    const running: Promise<void> = work.then(end, end);
    this.running.add(running);
  }

  /** Retries idempotent work until it succeeds; rejects only when this process stops. */
  persistently<T>(work: () => Promise<T>): Promise<T> {
    return retry(work, {
      signal: this.signal,
      onRetry: (error) =>
        this.logger.error({ error: safeError(error).name }, 'a webhook delivery could not be recorded; retrying'),
    });
  }

  /** Resolves when no attempt is running. `close` aborts the requests that did not finish in time. */
  async stop(close: () => Promise<void>): Promise<void> {
    const ended = new AbortController();
    const graceful = Promise.all(this.running).finally(() => ended.abort());
    await Promise.race([graceful, pause(STOP_GRACE_MS, ended.signal)]);
    this.stopping.abort();
    await close();
    await Promise.all(this.running);
  }
}
