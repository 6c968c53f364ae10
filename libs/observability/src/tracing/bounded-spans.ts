import type { ReadableSpan, Span, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Metrics, Counted } from '../metrics';

interface BoundedSpansOptions {
  readonly most: number;
  readonly exporter: SpanExporter;
  /** Creates the processor that sends batches to the given exporter. */
  readonly processor: (exporter: SpanExporter) => SpanProcessor;
  readonly metrics: Metrics;
  readonly logger: () => Logger;
}

const SUCCESS = 0;
const SAMPLED = 1;

/**
 * Limits the spans that wait for export. Spans that the collector does not accept in time are dropped, and nothing
 * waits for them. The SDK drops spans too, but silently; here they are counted, and the log reports when the collector
 * fails and when it recovers.
 */
export class BoundedSpans implements SpanProcessor {
  private readonly processor: SpanProcessor;
  private readonly exported: Counted;
  private readonly crowdedOut: Counted;
  private readonly refused: Counted;
  private waiting = 0;
  private failing = false;

  constructor(private readonly options: BoundedSpansOptions) {
    const { metrics, exporter, processor } = options;
    this.exported = metrics.counter('ponte_spans_exported_total');
    this.crowdedOut = metrics.counter('ponte_spans_dropped_total', { reason: 'queue-full' });
    this.refused = metrics.counter('ponte_spans_dropped_total', { reason: 'not-taken' });
    this.processor = processor({
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.reported(spans.length, result.code === SUCCESS);
          done(result);
        }),
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: () => exporter.shutdown(),
    });
  }

  onStart(...started: Parameters<SpanProcessor['onStart']>): void {
    this.processor.onStart(...started);
  }

  onEnd(span: ReadableSpan & Partial<Span>): void {
    if ((span.spanContext().traceFlags & SAMPLED) === 0) return;
    if (this.waiting >= this.options.most) return this.crowdedOut.inc();
    this.waiting += 1;
    this.processor.onEnd(span as ReadableSpan & Span);
  }

  forceFlush(): Promise<void> {
    return this.processor.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.processor.shutdown();
  }

  private reported(count: number, taken: boolean): void {
    this.waiting -= count;
    (taken ? this.exported : this.refused).inc(count);
    if (taken === !this.failing) return;
    this.failing = !taken;
    if (taken) this.options.logger().info('the collector accepts spans again');
    else this.options.logger().warn('the collector does not accept spans; they are dropped and counted until it does');
  }
}
