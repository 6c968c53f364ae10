import type { BusObserver, RelayObserver } from '@ponte/bus-kafka';
import type { ParkedCount, ParkedEvents } from '@ponte/event-sourcing';
import type { MetricName } from './catalogue/catalogue';
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

/** Each scrape needs the counts three times, so they are kept for this many milliseconds. */
const FRESH_MS = 10_000;

/** Measures parked events, of any bus. The value is 0 for a group of this process without parked events. */
export function measureParked(
  parkedEvents: Pick<ParkedEvents, 'counts'>,
  metrics: Metrics,
  now: () => number,
  consuming: ReadonlySet<string> = new Set(),
): void {
  let read: { until: number; readonly counts: Promise<readonly ParkedCount[]> } | undefined;
  const recent = (): Promise<readonly ParkedCount[]> => {
    if (read && now() < read.until) return read.counts;
    const next = { until: Infinity, counts: parkedEvents.counts() };
    next.counts.then(
      () => (next.until = now() + FRESH_MS),
      () => (next.until = -Infinity),
    );
    read = next;
    return next.counts;
  };
  const measure = (name: MetricName, valueOf: (count: ParkedCount | undefined) => number): void =>
    metrics.measure(name, async () => {
      const counts = new Map((await recent()).map((count) => [count.group, count]));
      const groups = new Set([...consuming, ...counts.keys()]);
      return [...groups].map((group) => ({ labels: { group }, value: valueOf(counts.get(group)) }));
    });
  measure('ponte_parked_events', (count) => count?.events ?? 0);
  measure('ponte_parked_streams', (count) => count?.streams ?? 0);
  measure('ponte_parked_oldest_seconds', (count) =>
    count ? Math.max(0, now() - Date.parse(count.oldestAt)) / 1_000 : 0,
  );
}
