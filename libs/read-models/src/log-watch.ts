import { pause, retryDelay } from '@ponte/concurrency';
import type { EventStore, LogSubscription, Position, Recorded, EngineLogger } from '@ponte/event-sourcing';
import { safeError } from '@ponte/event-sourcing';

interface LogWatchOptions {
  readonly store: EventStore;
  readonly logger: EngineLogger;
  /** Identifies the watch in log messages. */
  readonly name: string;
  readonly categories: readonly string[];
  /** Must not throw. It typically adds or drops an entry in memory. */
  readonly notify: (event: Recorded) => void;
}

export interface LogWatch {
  stop(): Promise<void>;
}

/**
 * Calls `notify` for each event appended from now on, for state that each process keeps in its own memory. It needs no
 * lease and no checkpoint, because a new process has nothing in memory yet. A subscription that fails is resumed at its
 * last position.
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
  { store, logger, name, categories, notify }: LogWatchOptions,
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
        events.forEach(notify);
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
