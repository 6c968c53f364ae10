import 'reflect-metadata';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '@ponte/testing';
import { Agent, request } from 'undici';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-under-test';
import { CHILD, STRANGER } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
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
/**
 * The number of concurrent callers, and how long they are measured before and during the attack. Shorter in CI, which
 * does not compare the times.
 */
const CALLERS = 4;
const [QUIET_MS, ATTACKED_MS] = process.env['CI'] ? [500, 3_000] : [8_000, 8_000];
/** A response faster than this counts as quick, whatever the baseline, because the machine does other work too. */
const FLOOR_MS = 25;

const MIB = 1024 * 1024;
/** The largest growth caused by the attack, the second partner and garbage together. */
const MOST_GROWN_MIB = 300;

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

/** Requests quotes as the second partner. Returns the statuses and the 99th percentile of the response times. */
async function secondPartner(
  measuredMs: number,
): Promise<{ statuses: number[]; p99: number; sent: number; answered: number }> {
  let sent = 0;
  const times: number[] = [];
  const statuses = new Set<number>();
  const until = performance.now() + measuredMs;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < until) {
        const began = performance.now();
        sent += 1;
        const { statusCode, body } = await request(
          `http://127.0.0.1:${gateway.port}/api/v1/accounts/${STRANGER}/quotes`,
          {
            method: 'POST',
            body: BODY,
            dispatcher,
            headers: { authorization: `Bearer ${KEY.stranger}`, 'content-type': 'application/json' },
          },
        );
        await body.dump();
        times.push(performance.now() - began);
        statuses.add(statusCode);
      }
    }),
  );
  times.sort((one, other) => one - other);
  return {
    statuses: [...statuses],
    sent,
    answered: times.length,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}

it.each<[string, Omit<Attack, 'connections'>]>([
  ['slow headers', { opening: 'GET /api/v1/errors HTTP/1.1\r\nHost: ', trickle: 'a'.repeat(1_000), everyMs: 500 }],
  ['slow bodies', { opening: post, trickle: BODY.slice(0, -1), everyMs: 500 }],
  [
    'slow readers',
    {
      opening: post + BODY + head(['GET /docs/reference/viewer.js HTTP/1.1']).repeat(12),
      readBytes: 100,
      everyMs: 500,
    },
  ],
  [
    'responses that are not read, to requests without credentials that are sent ahead',
    { opening: head([`GET ${QUOTES} HTTP/1.1`]).repeat(40), readBytes: 0 },
  ],
  [
    'many more requests sent ahead in one burst',
    { opening: head([`GET ${QUOTES} HTTP/1.1`]).repeat(5_000), readBytes: 0 },
  ],
])('500 connections with %s do not affect a second partner, and all are closed', async (name, wanted) => {
  const quiet = await secondPartner(QUIET_MS);
  const before = memory();
  const attack = await startAttack(gateway.port, { connections: CONNECTIONS, ...wanted });
  try {
    const attacked = await secondPartner(ATTACKED_MS);
    const grown = Math.round((memory() - before) / MIB);
    process.stdout.write(
      `${name}: p99 ${quiet.p99.toFixed(1)} ms quiet, ${attacked.p99.toFixed(1)} ms attacked; ${attacked.answered} answered, ${grown} MiB more\n`,
    );
    expect(attacked.statuses).toEqual([200]);
    expect(attacked.answered).toBe(attacked.sent);
    expect(grown).toBeLessThan(MOST_GROWN_MIB);
    // CI machines are too busy to compare times.
    if (!process.env['CI']) expect(attacked.p99).toBeLessThan(3 * Math.max(quiet.p99, FLOOR_MS));
    await dispatcher.close();
    const server = gateway.app.getHttpServer() as Server;
    await eventually(async () => expect(await promisify(server.getConnections.bind(server))()).toBe(0), 45_000);
  } finally {
    await attack.stop();
  }
});
