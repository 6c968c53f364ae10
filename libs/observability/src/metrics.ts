import { withTimeout } from '@ponte/concurrency';
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { MetricName } from './catalogue';
import { CATALOGUE } from './catalogue';
import { Distribution, keyOf, Tally } from './distribution';
import type { Counted, Labels, MetricDefinition, Observed, Sample } from './metric-definition';

export type { Counted, Labels, Observed, Sample } from './metric-definition';

/**
 * Counters that exist from the start of every process: an alert sees no increase in a counter that first appears with
 * its first event.
 */
const FROM_THE_START: readonly (readonly [MetricName, readonly Labels[]])[] = [
  ['ponte_spans_exported_total', [{}]],
  ['ponte_spans_dropped_total', [{ reason: 'queue-full' }, { reason: 'not-taken' }]],
];

/** Time limit of one reading, in milliseconds; a slower one is omitted. Prometheus waits 10 s for the whole scrape. */
const READING_MS = 3_000;

/**
 * The metrics of one process, by the names of the catalogue. Looking up a series by its labels costs more than
 * counting, so hot paths keep the returned object.
 */
export class Metrics {
  readonly registry = new Registry();
  private readonly known = new Map<MetricName, Counter | Gauge | Distribution>();
  private readonly tallies = new Map<MetricName, Map<string, Tally>>();
  private readonly readings = new Map<MetricName, (() => Promise<readonly Sample[]>)[]>();
  private processIsCollected = false;

  /** Adds the metrics of Node and the process. Called by the server of the metrics; repeated calls do nothing. */
  collectProcess(): void {
    if (this.processIsCollected) return;
    this.processIsCollected = true;
    collectDefaultMetrics({ register: this.registry });
    for (const [name, series] of FROM_THE_START) for (const labels of series) this.counter(name, labels);
  }

  histogram(name: MetricName, labels: Labels = {}): Observed {
    const one = this.metric(name);
    if (!(one instanceof Distribution)) throw new TypeError(`${name} is not a histogram`);
    return one.labels(labels);
  }

  counter(name: MetricName, labels: Labels = {}): Counted {
    const one = this.metric(name);
    if (!(one instanceof Counter)) throw new TypeError(`${name} is not a counter`);
    const series = this.tallies.get(name) ?? new Map<string, Tally>();
    this.tallies.set(name, series);
    const key = keyOf(name, CATALOGUE[name].labels, labels);
    const tally = series.get(key) ?? new Tally(labels);
    series.set(key, tally);
    return tally;
  }

  set(name: MetricName, value: number, labels: Labels = {}): void {
    this.gauge(name).labels(labels).set(value);
  }

  remove(name: MetricName, labels: Labels): void {
    this.gauge(name).remove(labels);
  }

  /** Reads a gauge at each scrape and reports only its latest samples. A failed reading is counted and omitted. */
  measure(name: MetricName, read: () => Promise<readonly Sample[]>): void {
    const readings = this.readings.get(name);
    if (readings) readings.push(read);
    else this.readings.set(name, [read]);
    this.counter('ponte_metric_failures_total', { metric: name });
    this.gauge(name);
  }

  private gauge(name: MetricName): Gauge {
    const one = this.metric(name);
    if (!(one instanceof Gauge)) throw new TypeError(`${name} is not a gauge`);
    return one;
  }

  private metric(name: MetricName): Counter | Gauge | Distribution {
    const known = this.known.get(name);
    if (known) return known;
    const made = this.make(name, CATALOGUE[name]);
    this.known.set(name, made);
    return made;
  }

  private make(name: MetricName, definition: MetricDefinition): Counter | Gauge | Distribution {
    const { kind, help, labels } = definition;
    const usual = { name, help, labelNames: [...labels], registers: [this.registry] };
    switch (kind) {
      case 'counter': {
        const counter: Counter = new Counter({ ...usual, collect: () => this.total(name, counter) });
        return counter;
      }
      case 'histogram': {
        const distribution = new Distribution(name, definition);
        this.registry.registerMetric(distribution.asMetric());
        return distribution;
      }
      case 'gauge': {
        const gauge: Gauge = new Gauge({ ...usual, collect: () => this.read(name, gauge) });
        return gauge;
      }
    }
  }

  private total(name: MetricName, counter: Counter): void {
    counter.reset();
    for (const { labels, value } of this.tallies.get(name)?.values() ?? []) counter.inc({ ...labels }, value);
  }

  private async read(name: MetricName, gauge: Gauge): Promise<void> {
    const readings = this.readings.get(name);
    if (!readings) return;
    try {
      const samples = (await withTimeout(READING_MS, Promise.all(readings.map((read) => read())))).flat();
      gauge.reset();
      // Otherwise a gauge without labels would report 0 without a reading.
      gauge.remove({});
      for (const { labels, value } of samples) gauge.labels(labels ?? {}).set(value);
    } catch {
      gauge.reset();
      gauge.remove({});
      this.counter('ponte_metric_failures_total', { metric: name }).inc();
    }
  }
}
