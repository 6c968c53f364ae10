import type { TracingParts } from './open';
import type { TracingConfig } from './settings';
import type { Tracing } from './tracing';
import { NO_TRACING } from './tracing';

export { busTraces } from './bus';
export type { TracingParts } from './open';
export { originOf } from './origin';
export { portTraces } from './port';
export { tracedRelay } from './relay';
export * from './settings';
export { storeTraces } from './store';
export { timerTraces } from './timers';
export { formatTraceparent, parseTraceparent } from './traceparent';
export * from './tracing';

/** Opens the tracing of this process. Without a collector it does nothing and does not even load OpenTelemetry. */
export async function openTracing(config: TracingConfig | null | undefined, parts: TracingParts): Promise<Tracing> {
  if (!config) return NO_TRACING;
  const { openSdkTracing } = await import('./open');
  return openSdkTracing(config, parts);
}
