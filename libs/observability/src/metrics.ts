import { withTimeout } from '@ponte/concurrency';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MetricName } from './catalogue/catalogue';
import { CATALOGUE } from './catalogue/catalogue';
import type { Counted, Labels, Observed, Sample } from './catalogue/metric-definition';

export type { Counted, Labels, Observed, Sample } from './catalogue/metric-definition';

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

/** The metrics of one process, by the names of the catalogue. A series exists, at zero, once it has been asked for. */
export class Metrics {
  readonly registry = new Registry();
  private readonly known = new Map<MetricName, Counter | Gauge | Histogram>();
  private readonly series = new Map<string, Counted | Observed>();
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
    return this.one(name, labels, () => {
      const metric = this.metric(name);
      if (!(metric instanceof Histogram)) throw new TypeError(`${name} is not a histogram`);
      metric.zero({ ...labels });
      return metric.labels({ ...labels });
    });
  }

  counter(name: MetricName, labels: Labels = {}): Counted {
    return this.one(name, labels, () => {
      const metric = this.metric(name);
      if (!(metric instanceof Counter)) throw new TypeError(`${name} is not a counter`);
      metric.inc({ ...labels }, 0);
      return metric.labels({ ...labels });
    });
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

  private metric(name: MetricName): Counter | Gauge | Histogram {
    const known = this.known.get(name);
    if (known) return known;
    const made = this.make(name);
    this.known.set(name, made);
    return made;
  }

  private make(name: MetricName): Counter | Gauge | Histogram {
    const { kind, help, labels, buckets = [] } = CATALOGUE[name];
    const usual = { name, help, labelNames: [...labels], registers: [this.registry] };
    switch (kind) {
      case 'counter':
        return new Counter(usual);
      case 'histogram':
        return new Histogram({ ...usual, buckets: [...buckets] });
      case 'gauge': {
        const gauge: Gauge = new Gauge({ ...usual, collect: () => this.read(name, gauge) });
        return gauge;
      }
    }
  }

  /** Returns the series of a metric with these labels; makes it at the first call. */
  private one<S extends Counted | Observed>(name: MetricName, labels: Labels, make: () => S): S {
    const key = keyOf(name, CATALOGUE[name].labels, labels);
    const known = this.series.get(key);
    if (known) return known as S;
    const made = make();
    this.series.set(key, made);
    return made;
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

/** Throws if a label is missing or unknown. That is a programming error, found at the first use. */
function keyOf(name: string, names: readonly string[], labels: Labels): string {
  if (Object.keys(labels).length !== names.length || names.some((one) => labels[one] === undefined))
    throw new TypeError(`${name} must have the labels ${names.join(', ')}`);
  return [name, ...names.map((one) => labels[one])].join('\n');
}
