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
  /** The name of the service or the process. */
  readonly name: string;
  /** Identifies this process among the replicas of its service. */
  readonly instance?: string;
  readonly environment: string;
  readonly metrics: Metrics;
  /** A function, because the logger itself depends on the tracing for its trace fields. */
  readonly logger: () => Logger;
}

/** The largest number of spans buffered for the collector (a few megabytes). Further spans are dropped and counted. */
const MAX_WAITING = 4_096;
const BATCH = 512;
const EVERY_MS = 1_000;
/** Time limit of one batch, including the exporter's own retries, in milliseconds. */
const EXPORT_MS = 5_000;

/** Opens tracing with the collector of the configuration. */
export function openSdkTracing(config: TracingConfig, parts: TracingParts): Tracing {
  const spans = new BoundedSpans({
    most: MAX_WAITING,
    metrics: parts.metrics,
    logger: parts.logger,
    exporter: new OTLPTraceExporter({
      url: config.url,
      headers: { ...config.headers },
      timeoutMillis: EXPORT_MS,
      concurrencyLimit: MAX_WAITING / BATCH,
    }),
    processor: (exporter) =>
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
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
 * The gateway makes the sampling decision, even when the caller sends a trace context: we pay for the spans, so we
 * choose which to keep. Services behind the gateway follow its decision.
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
