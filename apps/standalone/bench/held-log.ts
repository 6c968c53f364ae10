import type { EventStore, LogSubscription } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';

/** An event store whose appends can be noticed, and whose readers can be stopped and let go on. */
export class HeldLog {
  readonly store: EventStore;
  private readonly waiting = new Map<string, () => void>();
  /** The only reader that gets new events; undefined if all do. */
  private onlyReader: string | undefined;
  private release: (() => void)[] = [];

  constructor(store: EventStore) {
    this.store = instrument(store, [
      (inner) => ({
        append: (stream, expectedRevision, events) => {
          this.waiting.get(categoryOf(stream))?.();
          return inner.append(stream, expectedRevision, events);
        },
        subscribe: (filter) => this.held(inner.subscribe(filter), filter?.reader),
      }),
    ]);
  }

  /** Calls `work` whenever the store is asked to append to a stream of the category, before it begins to. */
  beforeAppend(category: string, work: () => void): void {
    this.waiting.set(category, work);
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
