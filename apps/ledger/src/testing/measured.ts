import type { Engines } from '@ponte/nest';
import type { MetricName } from '@ponte/observability';

/** What a metric of the ledger is for a reader of the bank now; undefined if it is not reported. */
export async function measured(
  { engines }: { readonly engines: Engines },
  name: MetricName,
  reader: string,
): Promise<number | undefined> {
  const metric = await engines.metrics.registry.getSingleMetric(name)?.get();
  return metric?.values.find(({ labels }) => labels.reader === reader)?.value;
}
