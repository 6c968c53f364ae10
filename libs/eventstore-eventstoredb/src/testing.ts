import { EventStoreDBClient } from '@eventstore/db-client';
import type { EventStore, LogFilter, Recorded } from '@ponte/event-sourcing';
import type { EventStoreDbStore } from './open';
import { openEventStoreDb } from './open';
import type { EventStoreDbOptions } from './options';

/** A logged line of a store under test. */
interface LoggedLine {
  readonly level: 'warn' | 'error';
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Opens stores and other resources of a test, and closes them in reverse order. */
export class Bench {
  private readonly ends: (() => Promise<unknown>)[] = [];
  readonly lines: LoggedLine[] = [];

  after(end: () => Promise<unknown>): void {
    this.ends.push(end);
  }

  async open(
    connectionString: string,
    limits: EventStoreDbOptions['limits'] = {},
    more: Partial<EventStoreDbOptions> = {},
  ): Promise<EventStoreDbStore> {
    const say =
      (level: LoggedLine['level']) =>
      (fields: object, message: string): void => {
        this.lines.push({ level, fields: fields as LoggedLine['fields'], message });
      };
    const logger = { warn: say('warn'), error: say('error') };
    const store = await openEventStoreDb({
      connectionString,
      logger,
      limits: { resubscribeMs: [10, 20, 50], ...limits },
      ...more,
    });
    this.after(() => store.close());
    return store;
  }

  /** A plain client, for actions that the store does not offer. */
  raw(connectionString: string): EventStoreDBClient {
    const client = EventStoreDBClient.connectionString(connectionString);
    this.after(() => client.dispose());
    return client;
  }

  /** Collects all events that a subscription delivers, and its failure. */
  following(
    store: EventStore,
    filter: LogFilter,
  ): { readonly events: Recorded[]; failure?: unknown; last?: string; isCaughtUp?: boolean } {
    const seen: { events: Recorded[]; failure?: unknown; last?: string; isCaughtUp?: boolean } = { events: [] };
    const subscription = store.subscribe(filter);
    const reading = (async () => {
      for await (const slice of subscription) {
        seen.events.push(...slice.events);
        seen.last = slice.position;
        seen.isCaughtUp = slice.caughtUp;
      }
    })().catch((error: unknown) => {
      seen.failure = error;
    });
    this.after(async () => {
      await subscription.close();
      await reading;
    });
    return seen;
  }

  async end(): Promise<void> {
    this.lines.length = 0;
    for (const end of this.ends.splice(0).reverse()) await end();
  }
}
