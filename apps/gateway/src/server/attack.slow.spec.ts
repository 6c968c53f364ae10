import 'reflect-metadata';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '@ponte/testing';
import { Agent, request } from 'undici';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-under-test';
import { CHILD, STRANGER } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { CONNECTION_LIMITS } from './limits';
import type { Attack } from './testing/hostile-callers';
import { startAttack } from './testing/hostile-callers';

const CONNECTIONS = 500;
const BODY = JSON.stringify({ 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' });
const QUOTES = `/api/v1/accounts/${CHILD}/quotes`;
const head = (lines: string[]): string => [...lines, 'Host: a', '', ''].join('\r\n');
const post = head([
  `POST ${QUOTES} HTTP/1.1`,
  `Authorization: Bearer ${KEY.partner}`,
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
]);
const UNAUTHENTICATED = head([`GET /api/v1/accounts/${CHILD} HTTP/1.1`]);

/** The second partner: its concurrent callers, and how many requests each sends at least. */
const CALLERS = 4;
const REQUESTS = 150;
/** The pause of a caller between two requests, so that the second partner is no attack itself. */
const PAUSE_MS = 10;
/** The requests of one caller between two measurements of the memory. */
const MEASURED_EVERY = 50;

const MIB = 1024 * 1024;
/** The largest growth caused by the attack, the second partner and garbage together. */
const MAX_GROWTH_MIB = 300;

let gateway: GatewayUnderTest;
let dispatcher: Agent;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  dispatcher = new Agent({ connections: CALLERS, pipelining: 1 });
});
afterAll(() => gateway.stop());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes in use in this process, on and off the heap, after garbage collection. */
function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const connections = (): Promise<number> => {
  const server = gateway.app.getHttpServer() as Server;
  return promisify(server.getConnections.bind(server))();
};

/** The number of requests that the application has answered. */
async function answered(): Promise<number> {
  const metric = gateway.engines.metrics.registry.getSingleMetric('ponte_gateway_requests_total');
  return ((await metric?.get())?.values ?? []).reduce((sum, { value }) => sum + value, 0);
}

/**
 * Requests quotes as the second partner until `isOver`, and calls `measure` now and then. Returns how often each status
 * was answered.
 */
async function secondPartner(isOver: () => boolean, measure: () => void): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const url = `http://127.0.0.1:${gateway.port}/api/v1/accounts/${STRANGER}/quotes`;
  const headers = { authorization: `Bearer ${KEY.stranger}`, 'content-type': 'application/json' };
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      for (let sent = 0; sent < REQUESTS || !isOver(); sent += 1) {
        const { statusCode, body } = await request(url, { method: 'POST', body: BODY, dispatcher, headers });
        await body.dump();
        statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
        if (caller === 0 && sent % MEASURED_EVERY === 0) measure();
        await pause(PAUSE_MS);
      }
    }),
  );
  return statuses;
}

/** `most`: how many requests of each hostile connection may be answered. */
it.each<[string, Omit<Attack, 'connections'> & { readonly most: number }]>([
  [
    'slow headers',
    { opening: 'GET /api/v1/errors HTTP/1.1\r\nHost: ', trickle: 'a'.repeat(1_000), everyMs: 500, most: 0 },
  ],
  ['slow bodies', { opening: post, trickle: BODY.slice(0, -1), everyMs: 500, most: 0 }],
  [
    'slow readers',
    {
      opening: post + BODY + head(['GET /docs/reference/viewer.js HTTP/1.1']).repeat(12),
      readBytes: 100,
      everyMs: 500,
      most: 13,
    },
  ],
  [
    'responses that are not read, to requests without credentials that are sent ahead',
    { opening: UNAUTHENTICATED.repeat(40), readBytes: 0, most: CONNECTION_LIMITS.pipelined },
  ],
  [
    'many more requests sent ahead in one burst',
    { opening: UNAUTHENTICATED.repeat(5_000), readBytes: 0, most: CONNECTION_LIMITS.pipelined },
  ],
])('500 connections with %s do not affect a second partner, and all are closed', async (_, { most, ...wanted }) => {
  // Every part of the gateway has run before the memory is measured.
  await secondPartner(
    () => true,
    () => undefined,
  );
  const [before, answeredBefore] = [memory(), await answered()];
  let grown = 0;
  const attack = await startAttack(gateway.port, { connections: CONNECTIONS, ...wanted });
  try {
    let isOver = false;
    const [statuses] = await Promise.all([
      secondPartner(
        () => isOver,
        () => (grown = Math.max(grown, memory() - before)),
      ),
      eventually(async () => expect(await connections()).toBeLessThanOrEqual(CALLERS), 120_000).finally(
        () => (isOver = true),
      ),
    ]);
    expect([...statuses.keys()]).toEqual([200]);
    expect((await answered()) - answeredBefore - (statuses.get(200) ?? 0)).toBeLessThanOrEqual(most * CONNECTIONS);
    expect(grown / MIB).toBeLessThan(MAX_GROWTH_MIB);
    await dispatcher.close();
    await eventually(async () => expect(await connections()).toBe(0));
  } finally {
    await attack.stop();
  }
});
