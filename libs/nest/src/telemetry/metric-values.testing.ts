import type { Metrics } from '@ponte/observability';

const PATIENCE_MS = 5_000;

/** The value of a series, by its name and labels as Prometheus writes them; undefined when it is absent. */
export async function value(metrics: Metrics, series: string): Promise<number | undefined> {
  const line = (await metrics.registry.metrics()).split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

export async function until(what: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; !(await what());) {
    if (Date.now() > end) throw new Error('it did not come to pass');
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
