import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ponte } from '@ponte/sdk';
import type { LoadResult } from './load/load';
import { pace, Target } from './load/load';
import { open } from './orders';
import type { Row } from './report';
import type { SandboxFile } from '../src/sandbox-file';

const ORDERS_PER_SECOND = 100;
const ORDERS = 1_000;
/** Warm-up orders, so that the code is compiled before the first figure, as in the other parts. */
const WARM_UP = 1_000;
const MAX_P99_MS = 50;
const SETTLE_MS = 5_000;

const CONNECTIONS = 16;
const REFERENCE = '(the same bodies posted straight to the receiver)';

/**
 * The lower bound for webhook latency on this machine: posts only the bodies to the same receiver, at the rate at which
 * they arrived.
 */
export async function postBare(origin: string, bodies: readonly string[], perSecond: number): Promise<LoadResult> {
  const target = new Target(origin, CONNECTIONS);
  const headers = { 'content-type': 'application/json' };
  try {
    return await pace(
      target,
      bodies.map((body) => ({ method: 'POST', path: '/', headers, body })),
      perSecond,
    );
  } finally {
    await target.close();
  }
}

/**
 * Opens the event stream of the sandbox's partner. `delays` are from the business time of each event to its arrival.
 */
async function openStream(sandbox: SandboxFile): Promise<{ readonly delays: number[]; close(): void }> {
  const ponte = new Ponte({ baseUrl: sandbox['base-url'], apiKey: sandbox['api-key'] });
  const [delays, end]: [number[], AbortController] = [[], new AbortController()];
  await new Promise<void>((resolve, reject) => {
    const options = { after: 'latest', signal: end.signal, onConnection: () => resolve() } as const;
    const read = async (): Promise<void> => {
      for await (const { event } of ponte.events(sandbox['account-id'], options))
        delays.push(Date.now() - Date.parse(event['occurred-at']));
    };
    read().catch(reject);
  });
  return { delays, close: () => end.abort() };
}

/**
 * Measures from the business time of an order's creation to the arrival of its webhook, using this machine's clock on
 * both ends.
 */
export async function benchWebhooks(script: string): Promise<Row[]> {
  const delays: number[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const arrived = Date.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const event = JSON.parse(body) as { 'occurred-at': string };
      bodies.push(body);
      delays.push(arrived - Date.parse(event['occurred-at']));
      response.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fixtures = await open(script, {});
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await fixtures.partner.ask(
      fixtures.partner.post(`/api/v1/accounts/${fixtures.child.ready.sandbox['account-id']}/webhook-endpoints`, {
        url,
      }),
    );
    const { sandbox } = fixtures.child.ready;
    const stream = await openStream(sandbox);
    for (const orders of [WARM_UP, ORDERS]) {
      delays.length = 0;
      bodies.length = 0;
      stream.delays.length = 0;
      await pace(fixtures.target, await fixtures.partner.acceptances(fixtures.accounts, orders), ORDERS_PER_SECOND);
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    }
    stream.close();
    const sorted = [...delays].sort((a, b) => a - b);
    const received = [...bodies];
    const bare = await postBare(new URL(url).origin, received, (ORDERS_PER_SECOND * received.length) / ORDERS);
    const besideP50 = { reference: bare.p50Ms, referenceName: REFERENCE };
    const besideP99 = { reference: bare.p99Ms, referenceName: REFERENCE };
    const streamed = stream.delays.sort((a, b) => a - b);
    const streamedAt = (share: number) => streamed[Math.floor(streamed.length * share)] ?? 0;
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    return [
      { name: `webhooks received of ${ORDERS} orders`, value: sorted.length },
      { name: `event to webhook p50 at ${ORDERS_PER_SECOND} orders/s, ms`, value: at(0.5), ...besideP50 },
      {
        name: `event to webhook p99 at ${ORDERS_PER_SECOND} orders/s, ms`,
        value: at(0.99),
        ...besideP99,
        target: `under ${MAX_P99_MS} ms`,
        met: at(0.99) < MAX_P99_MS,
      },
      { name: `events streamed of ${ORDERS} orders`, value: streamed.length },
      { name: `event to event stream p50 at ${ORDERS_PER_SECOND} orders/s, ms`, value: streamedAt(0.5), ...besideP50 },
      { name: `event to event stream p99 at ${ORDERS_PER_SECOND} orders/s, ms`, value: streamedAt(0.99), ...besideP99 },
    ];
  } finally {
    await fixtures.close();
    server.closeAllConnections();
    server.close();
  }
}
