import { pause, retryDelay } from '@ponte/concurrency';
import type { EventStore, LogSubscription, Position, Recorded, EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';

export interface LogWatchOptions {
  readonly store: EventStore;
  readonly logger: EngineLogger;
  /** Names the watch in the log. */
  readonly name: string;
  readonly categories: readonly string[];
  /** Must not fail: it drops something from memory, or puts it there. */
  readonly tell: (event: Recorded) => void;
}

export interface LogWatch {
  stop(): Promise<void>;
}

/**
 * Tells every process of what is appended from now on, for what each keeps in its own memory. Without a lease and
 * without a checkpoint: a process that starts has nothing in memory yet. A subscription that breaks goes on where it
 * was.
 */
export async function watchLog(options: LogWatchOptions): Promise<LogWatch> {
  const stopping = new AbortController();
  const ended = follow(options, await options.store.head(), stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function follow(
  { store, logger, name, categories, tell }: LogWatchOptions,
  head: Position | undefined,
  signal: AbortSignal,
): Promise<void> {
  let after = head;
  let failures = 0;
  while (!signal.aborted) {
    let subscription: LogSubscription | undefined;
    const close = (): void => void subscription?.close();
    signal.addEventListener('abort', close, { once: true });
    try {
      subscription = store.subscribe({ categories, after });
      for await (const { events, position } of subscription) {
        events.forEach(tell);
        after = position;
        failures = 0;
      }
    } catch (error) {
      logger.warn({ watch: name, error: safeError(error) }, 'watching the log failed; this will be retried');
      failures += 1;
      await pause(retryDelay(failures), signal);
    } finally {
      signal.removeEventListener('abort', close);
      await subscription?.close();
    }
  }
}
