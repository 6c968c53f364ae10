/**
 * The definition of a metric: its meaning and its labels. Labels never contain ids, and none has a name that the scrape
 * sets (`service`, `instance`): Prometheus would use its own value and rename ours.
 */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, in the unit of its name. */
  readonly buckets?: readonly number[];
}

/** Buckets in seconds: from a look-up in memory to the deadline of a request. */
export const WAITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Buckets in seconds for a flushed append: 1 ms for a group commit on a good disk, more in a cluster of three. */
export const FLUSHES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];
export const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128];

export const counter = (help: string, ...labels: string[]): MetricDefinition => ({ kind: 'counter', help, labels });
export const gauge = (help: string, ...labels: string[]): MetricDefinition => ({ kind: 'gauge', help, labels });
export const histogram = (help: string, buckets: readonly number[], ...labels: string[]): MetricDefinition => ({
  kind: 'histogram',
  help,
  labels,
  buckets,
});

export type Labels = Readonly<Record<string, string>>;
export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}
/** One series of a histogram. */
export interface Observed {
  observe(value: number): void;
}
export interface Counted {
  inc(by?: number): void;
}
