import { OtlpCollector } from '@ponte/testing';
import type { Logger } from 'pino';
import pino from 'pino';
import { Metrics, openTracing, readTracing } from '@ponte/observability';
import type { Tracing } from '@ponte/observability';

export const ENV = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };

export let collector: OtlpCollector;
/** A new collector of traces for each test of a file. */
export function useCollector(): void {
  beforeEach(async () => {
    collector = await OtlpCollector.start();
  });
  afterEach(() => collector.close());
}

export const lines: string[] = [];
export const logger: Logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

export async function traced(metrics = new Metrics(), env: Record<string, string> = {}): Promise<Tracing> {
  return openTracing(readTracing({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint }), {
    name: 'test',
    environment: 'sandbox',
    metrics,
    logger: () => logger,
  });
}

export async function counted(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const { values } = (await metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['reason'] ?? 'all'), value]));
}

export const root = (tracing: Tracing) => tracing.begin({ name: 'root', kind: 'server', parent: undefined });
