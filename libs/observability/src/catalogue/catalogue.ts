import { ENGINE_METRICS } from './engine.metrics';
import type { MetricDefinition } from './metric-definition';
import { RATE_METRICS } from './rate.metrics';
import { SERVICE_METRICS } from './service.metrics';
import { TRANSACTION_METRICS } from './transaction.metrics';

/**
 * Every metric of Ponte, from all services. Rules, dashboards and docs/operations/metrics.md are checked against this
 * table.
 * Rarely used counters start at zero, so that their first event is an increase.
 */
export const CATALOGUE = {
  ...ENGINE_METRICS,
  ...RATE_METRICS,
  ...SERVICE_METRICS,
  ...TRANSACTION_METRICS,
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof CATALOGUE;
