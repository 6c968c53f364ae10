import type { Metrics } from '@ponte/observability';

const PATIENCE_MS = 30_000;

/** The value of a series, given its name and labels in Prometheus format; undefined if it does not exist. */
export async function value(metrics: Metrics, series: string): Promise<number | undefined> {
  const line = (await metrics.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

export async function until(what: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await what());) {
    if (Date.now() > end) throw new Error('the condition was not met in time');
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
