import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import { instrument } from '@ponte/kernel';
import { CATALOGUE, KafkaCounts, relayCounts, Metrics, leaseMetrics } from '@ponte/observability';
import { value } from './metric-values.testing';

/**
 * Labels set by prometheus.yaml, the ServiceMonitor and Prometheus itself. A label of ours with such a name would be
 * renamed to `exported_…`.
 */
const GIVEN_BY_THE_SCRAPE = ['job', 'instance', 'service', 'namespace', 'pod', 'container', 'endpoint'];

describe('the metrics of a process', () => {
  test('have names with a subject and a unit, and no labels with ids', () => {
    for (const [name, { kind, labels }] of Object.entries(CATALOGUE)) {
      expect(name).toMatch(/^ponte_[a-z]+(_[a-z]+)*$/);
      expect(name.endsWith('_total')).toBe(kind === 'counter');
      expect(labels.filter((label) => /id|account|key|stream/.test(label))).toEqual([]);
      expect([name, labels.filter((label) => GIVEN_BY_THE_SCRAPE.includes(label))]).toEqual([name, []]);
    }
  });

  test('include a counter at zero before its first event, so that the first event is an increase', async () => {
    const metrics = new Metrics();
    metrics.counter('ponte_dead_letters_total', { group: 'orders' });
    expect(await value(metrics, 'ponte_dead_letters_total{group="orders"}')).toBe(0);
  });

  test('include only the current values of a measurement; one that fails is omitted and counted, and the others still work', async () => {
    const metrics = new Metrics();
    let readings = [
      { labels: { asset: 'brl' }, value: 3 },
      { labels: { asset: 'usdc' }, value: 0 },
    ];
    metrics.measure('ponte_ledger_sum_minor_units', async () => readings);
    metrics.measure('ponte_webhook_oldest_due_seconds', () => Promise.reject(new Error('the database is away')));
    metrics.set('ponte_holds_without_order', 2);
    expect(await value(metrics, 'ponte_ledger_sum_minor_units{asset="brl"}')).toBe(3);
    readings = readings.slice(1);
    expect(await value(metrics, 'ponte_ledger_sum_minor_units{asset="brl"}')).toBeUndefined();
    expect(await value(metrics, 'ponte_ledger_sum_minor_units{asset="usdc"}')).toBe(0);
    expect(await value(metrics, 'ponte_webhook_oldest_due_seconds')).toBeUndefined();
    expect(
      await value(metrics, 'ponte_metric_failures_total{metric="ponte_webhook_oldest_due_seconds"}'),
    ).toBeGreaterThan(0);
    expect(await value(metrics, 'ponte_holds_without_order')).toBe(2);
  });

  test('report Kafka lag only for assigned partitions, and not for reply topics', async () => {
    const metrics = new Metrics();
    const counts = new KafkaCounts(metrics);
    counts.assigned('ponte.orders', { 'ledger.events': [0, 1], 'pricing.events': [2] });
    counts.lag('ledger.events', 0, 5);
    counts.lag('ledger.events', 1, 7);
    counts.lag('replies.orders.pod-1', 0, 9);
    counts.assigned('ponte.replies.orders.pod-1', { 'replies.orders.pod-1': [0] });
    expect(await value(metrics, 'ponte_consumer_lag_messages{topic="ledger.events"}')).toBe(12);
    counts.assigned('ponte.orders', { 'ledger.events': [1] });
    expect(await value(metrics, 'ponte_consumer_lag_messages{topic="ledger.events"}')).toBe(7);
    expect(await value(metrics, 'ponte_consumer_lag_messages{topic="pricing.events"}')).toBeUndefined();
    expect(await metrics.registry.metrics()).not.toContain('pod-1');
    // An alert fires on any increase, so the series must exist before: otherwise Prometheus sees no increase.
    const silent = [
      'ponte_event_gaps_total{source="ledger"}',
      'ponte_undecodable_messages_total{topic="ledger.events"}',
      'ponte_consumer_restarts_total{group="ponte.orders"}',
    ];
    expect(await Promise.all(silent.map((series) => value(metrics, series)))).toEqual([0, 0, 0]);
    counts.gap('ledger');
    counts.undecodable('ledger.events');
    expect(await Promise.all(silent.map((series) => value(metrics, series)))).toEqual([1, 1, 0]);
  });

  test('report the lag of a relay in the process that relays, and 0 in one that relayed before', async () => {
    const metrics = new Metrics();
    let holds = true;
    const relayed = relayCounts(
      metrics,
      () => Date.parse('2026-01-01T00:00:10.000Z'),
      () => holds,
    );
    relayed.relayed?.({ events: 3, position: '3', caughtUp: false, occurredAt: '2026-01-01T00:00:04.000Z' });
    expect(await value(metrics, 'ponte_relay_lag_seconds')).toBe(6);
    holds = false;
    expect(await value(metrics, 'ponte_relay_lag_seconds')).toBe(0);
    expect(await value(metrics, 'ponte_relay_events_total')).toBe(3);
  });

  test('report 0 for a lease that the process waits for, 1 for one that it holds, and nothing for other leases', async () => {
    const metrics = new Metrics();
    const lost = new AbortController();
    const asking: ((grant: LeaseGrant | undefined) => void)[] = [];
    const lease = instrument<Lease>(
      {
        acquire: () =>
          new Promise((resolve) => {
            asking.push(resolve);
          }),
      },
      [leaseMetrics(metrics)],
    );
    const held = () => value(metrics, 'ponte_lease_held{lease="relay-orders"}');
    const signal = new AbortController().signal;
    const [first, second] = [lease.acquire('relay-orders', signal), lease.acquire('relay-orders', signal)];
    expect(await held()).toBe(0);
    asking[0]?.({ fence: 1, lost: lost.signal, release: async () => undefined });
    await first;
    expect(await held()).toBe(1);
    lost.abort();
    expect([await held(), await value(metrics, 'ponte_lease_losses_total{lease="relay-orders"}')]).toEqual([0, 1]);
    asking[1]?.(undefined);
    expect([await second, await held()]).toEqual([undefined, undefined]);
  });
});
