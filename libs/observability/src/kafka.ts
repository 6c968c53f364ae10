import type { BusObserver, RelayObserver } from '@ponte/bus-kafka';
import type { ParkingLot } from '@ponte/event-sourcing';
import type { Metrics } from './metrics';

/** Groups and topics for replies contain the name of one process, so each would create a separate series. */
const isReply = (name: string): boolean => /(^|[.])replies[.]/.test(name);

/** A topic of events, with any prefix before the name of its service. */
const EVENTS_OF = /([a-z]+)\.events$/;

/** Counts what a Kafka bus reports. */
export class KafkaCounts implements BusObserver {
  /** Unfinished messages by topic and partition. A partition assigned to another process is not part of our lag. */
  private readonly lags = new Map<string, Map<number, number>>();
  private readonly topicsOf = new Map<string, readonly string[]>();

  constructor(private readonly metrics: Metrics) {
    metrics.measure('ponte_consumer_lag_messages', async () =>
      [...this.lags].map(([topic, partitions]) => ({
        labels: { topic },
        value: [...partitions.values()].reduce((sum, one) => sum + one, 0),
      })),
    );
  }

  lag(topic: string, partition: number, messages: number): void {
    if (!isReply(topic)) this.lags.get(topic)?.set(partition, messages);
  }

  assigned(group: string, partitions: Readonly<Record<string, readonly number[]>>): void {
    this.metrics.counter('ponte_consumer_restarts_total', { group: isReply(group) ? 'replies' : group });
    if (isReply(group)) return;
    this.metrics.counter('ponte_dead_letters_total', { group });
    this.metrics.counter('ponte_duplicate_events_total', { group });
    this.metrics.set('ponte_consumer_unfinished_messages', 0, { group });
    for (const topic of Object.keys(partitions)) this.silent(topic);
    for (const topic of this.topicsOf.get(group) ?? []) if (!(topic in partitions)) this.forget(topic);
    this.topicsOf.set(group, Object.keys(partitions));
    for (const [topic, ours] of Object.entries(partitions)) {
      const before = this.lags.get(topic);
      this.lags.set(topic, new Map(ours.map((partition) => [partition, before?.get(partition) ?? 0])));
      this.metrics.set('ponte_consumer_partitions', ours.length, { topic });
    }
  }

  restarted(group: string): void {
    this.metrics.counter('ponte_consumer_restarts_total', { group: isReply(group) ? 'replies' : group }).inc();
  }

  deadLetter(group: string): void {
    this.metrics.counter('ponte_dead_letters_total', { group }).inc();
  }

  undecodable(topic: string): void {
    this.metrics.counter('ponte_undecodable_messages_total', { topic }).inc();
  }

  gap(service: string): void {
    this.metrics.counter('ponte_event_gaps_total', { source: service }).inc();
  }

  duplicate(group: string): void {
    this.metrics.counter('ponte_duplicate_events_total', { group }).inc();
  }

  unfinished(group: string, messages: number): void {
    if (!isReply(group)) this.metrics.set('ponte_consumer_unfinished_messages', messages, { group });
  }

  /**
   * Creates counters at zero. Prometheus sees no increase in a counter that first appears with its first event, and for
   * these one event is an alert.
   */
  private silent(topic: string): void {
    const [, source] = EVENTS_OF.exec(topic) ?? [];
    if (source === undefined) return;
    this.metrics.counter('ponte_undecodable_messages_total', { topic });
    this.metrics.counter('ponte_event_gaps_total', { source });
  }

  private forget(topic: string): void {
    this.lags.delete(topic);
    this.metrics.set('ponte_consumer_partitions', 0, { topic });
  }
}

/**
 * Counts what a relay reports. `now` returns epoch milliseconds; `holds` returns whether this process relays. The lag
 * is 0 in a process that does not relay: otherwise the last value of a former relay would remain.
 */
export function relayCounts(metrics: Metrics, now: () => number, holds: () => boolean): RelayObserver {
  const events = metrics.counter('ponte_relay_events_total');
  let lag = 0;
  metrics.measure('ponte_relay_lag_seconds', async () => [{ value: holds() ? lag : 0 }]);
  return {
    relayed: (progress) => {
      events.inc(progress.events);
      lag = progress.caughtUp ? 0 : Math.max(0, now() - Date.parse(progress.occurredAt)) / 1000;
    },
  };
}

/** The list of parked events can be long and each scrape needs it three times, so it is kept for this many ms. */
const FRESH_MS = 10_000;

interface Parked {
  events: number;
  readonly streams: Set<string>;
  /** When the oldest was parked, in epoch milliseconds; Infinity for none. */
  since: number;
}

const none = (): Parked => ({ events: 0, streams: new Set(), since: Infinity });

/** Measures parked events, of any bus. The value is 0 for a group of this process without parked events. */
export function measureParked(
  parkingLot: ParkingLot,
  metrics: Metrics,
  now: () => number,
  consuming: ReadonlySet<string> = new Set(),
): void {
  let read: { readonly at: number; readonly of: Promise<ReadonlyMap<string, Parked>> } | undefined;
  const recent = (): Promise<ReadonlyMap<string, Parked>> => {
    if (!read || now() - read.at > FRESH_MS) {
      read = { at: now(), of: parkedIn(parkingLot, consuming) };
      read.of.catch(() => {
        read = undefined;
      });
    }
    return read.of;
  };
  metrics.measure('ponte_parked_events', async () =>
    [...(await recent())].map(([group, { events }]) => ({ labels: { group }, value: events })),
  );
  metrics.measure('ponte_parked_streams', async () =>
    [...(await recent())].map(([group, { streams }]) => ({ labels: { group }, value: streams.size })),
  );
  metrics.measure('ponte_parked_oldest_seconds', async () =>
    [...(await recent())].map(([group, { since }]) => ({
      labels: { group },
      value: since === Infinity ? 0 : Math.max(0, now() - since) / 1_000,
    })),
  );
}

async function parkedIn(parkingLot: ParkingLot, consuming: ReadonlySet<string>): Promise<ReadonlyMap<string, Parked>> {
  const groups = new Map<string, Parked>([...consuming].map((group) => [group, none()]));
  for (const { group, key, parkedAt } of await parkingLot.list()) {
    const one = groups.get(group) ?? none();
    one.events += 1;
    one.streams.add(key);
    one.since = Math.min(one.since, Date.parse(parkedAt));
    groups.set(group, one);
  }
  return groups;
}
