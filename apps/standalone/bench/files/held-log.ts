import type { EventStore, LogSubscription } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';

/** An event store whose readers can be stopped and let go on. */
export class HeldLog {
  readonly store: EventStore;
  /** The only reader that gets new events; undefined if all do. */
  private onlyReader: string | undefined;
  private release: (() => void)[] = [];

  constructor(store: EventStore) {
    this.store = instrument(store, [
      (inner) => ({ subscribe: (filter) => this.held(inner.subscribe(filter), filter?.reader) }),
    ]);
  }

  /** From now on, only this reader gets events; all others wait for {@link letAllRead}. */
  letOnlyRead(reader: string): void {
    this.onlyReader = reader;
  }

  letAllRead(): void {
    this.onlyReader = undefined;
    for (const release of this.release.splice(0)) release();
  }

  private held(subscription: LogSubscription, reader: string | undefined): LogSubscription {
    const isHeld = (): boolean => this.onlyReader !== undefined && this.onlyReader !== reader;
    const released = (): Promise<void> => new Promise((resolve) => void this.release.push(resolve));
    return {
      async *[Symbol.asyncIterator]() {
        for await (const slice of subscription) {
          while (isHeld()) await released();
          yield slice;
        }
      },
      close: () => subscription.close(),
    };
  }
}

/**
 * Calls `work` whenever the store is asked to append to a stream of the category, before anything of the store runs.
 * Changes the store itself, because all commands hold it already. Returns a function that undoes this.
 */
export function beforeAppend(store: EventStore, category: string, work: () => void): () => void {
  const { append } = store;
  const noticed: EventStore['append'] = (stream, expectedRevision, events) => {
    if (categoryOf(stream) === category) work();
    return append(stream, expectedRevision, events);
  };
  Object.assign(store, { append: noticed });
  return () => void Object.assign(store, { append });
}
