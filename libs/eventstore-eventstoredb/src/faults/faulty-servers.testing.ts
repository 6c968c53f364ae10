import type { EventStore, LogFilter, Recorded } from '@ponte/event-sourcing';
import type { EsdbServer, EsdbServerOptions } from '@ponte/testing';
import { startEsdbServer } from '@ponte/testing';
import { openEventStoreDb } from '../open';
import type { EventStoreDbLimits } from '../options';

export const silent = { warn: () => undefined, error: () => undefined };
/** Nothing takes this long in a passing test; it limits a failing one. */
const PATIENT: Partial<EventStoreDbLimits> = { appendMs: 20_000, resubscribeMs: [10, 20, 50] };
export const endings: (() => Promise<void>)[] = [];

/** Ends after each test of a file what it has started. */
export function endsServers(): void {
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
}

export async function start(options: EsdbServerOptions = {}): Promise<EsdbServer> {
  const server = await startEsdbServer(options);
  endings.push(() => server.stop());
  return server;
}

export async function open(connectionString: string, limits: Partial<EventStoreDbLimits> = {}): Promise<EventStore> {
  const store = await openEventStoreDb({ connectionString, logger: silent, limits: { ...PATIENT, ...limits } });
  endings.push(() => store.close());
  return store;
}

/** Collects all events that a subscription delivers. */
export function following(store: EventStore, filter: LogFilter): Recorded[] {
  const events: Recorded[] = [];
  const subscription = store.subscribe(filter);
  const reading = (async () => {
    for await (const slice of subscription) events.push(...slice.events);
  })();
  endings.push(async () => {
    await subscription.close();
    await reading;
  });
  return events;
}

export const numbers = (events: readonly Recorded[]): unknown[] =>
  events.map((event) => (event.data as { at: number }).at);
export const counted = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
