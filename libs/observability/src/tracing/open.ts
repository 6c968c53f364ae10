import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { Sampler } from '@opentelemetry/sdk-trace';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics';
import { BoundedSpans } from './bounded-spans';
import { SdkTracing } from './sdk-tracing';
import type { TracingConfig } from './settings';
import type { Tracing } from './tracing';

export interface TracingParts {
  /** The service, or the name of the process. */
  readonly name: string;
  /** Names this process among the replicas of its service. */
  readonly instance?: string;
  readonly environment: string;
  readonly metrics: Metrics;
  /** Asked for when there is something to say: the log has the place of its lines from the tracing. */
  readonly logger: () => Logger;
}

/** Spans that wait for the collector, at the most: some megabytes. What comes beyond is dropped, and counted. */
const MOST_WAITING = 4_096;
const BATCH = 512;
const EVERY_MS = 1_000;
/** One batch, with the exporter's own retries. */
const EXPORT_MS = 5_000;

/** Spans of this process, to the collector of the configuration. */
export function openSdkTracing(config: TracingConfig, parts: TracingParts): Tracing {
  const spans = new BoundedSpans({
    most: MOST_WAITING,
    metrics: parts.metrics,
    logger: parts.logger,
    exporter: new OTLPTraceExporter({
      url: config.url,
      headers: { ...config.headers },
      timeoutMillis: EXPORT_MS,
      concurrencyLimit: MOST_WAITING / BATCH,
    }),
    processor: (exporter) =>
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: BATCH,
        scheduledDelayMillis: EVERY_MS,
        exportTimeoutMillis: EXPORT_MS + EVERY_MS,
      }),
  });
  const resource = resourceFromAttributes({
    'service.namespace': 'ponte',
    'deployment.environment.name': parts.environment,
    ...(parts.instance === undefined ? {} : { 'service.instance.id': parts.instance }),
    ...config.resource,
    'service.name': config.serviceName ?? parts.name,
  });
  return new SdkTracing(new TracerProvider({ resource, sampler: samplerOf(config), spanProcessors: [spans] }));
}

/**
 * The edge decides, also for a caller that brings a trace of its own: who pays for the spans says which are kept.
 * Behind the edge what was decided there holds.
 */
function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const own = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_')
    ? new ParentBasedSampler({ root: own, remoteParentSampled: own, remoteParentNotSampled: own })
    : own;
}
