import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { median } from './load/load';
import { complete, open } from './orders';
import type { Row } from './report';

const ORDERS = 500;
const ROUNDS = 3;

/**
 * Measures the cluster's CPU time for an order from quote to completion with every span kept and sent to a collector,
 * and as a reference the same without tracing.
 */
export async function benchTracing(script: string): Promise<Row[]> {
  const collector = await startSink();
  const quiet = await open(script, {});
  const traced = await open(script, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  try {
    const micros = { quiet: [] as number[], traced: [] as number[] };
    for (const [name, fixtures] of [
      ['quiet', quiet],
      ['traced', traced],
    ] as const) {
      // Warms up before the first figure.
      await complete(fixtures, ORDERS);
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = (await fixtures.child.vitals()).cpuMicros;
        await complete(fixtures, ORDERS);
        micros[name].push(((await fixtures.child.vitals()).cpuMicros - before) / ORDERS);
      }
    }
    return [
      {
        name: 'CPU of a completed order, traced, ms',
        value: median(micros.traced) / 1_000,
        reference: median(micros.quiet) / 1_000,
        referenceName: 'without traces',
      },
    ];
  } finally {
    await Promise.all([quiet.close(), traced.close()]);
    await collector.close();
  }
}

/** A collector that accepts everything and stores nothing, so that the benchmark measures the cost of sending. */
async function startSink(): Promise<{ readonly endpoint: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
