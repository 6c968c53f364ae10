import 'reflect-metadata';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { eventually } from '@ponte/testing';
import { Agent, request } from 'undici';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-under-test';
import { CHILD, STRANGER } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { CONNECTION_LIMITS } from './limits';
import type { Attack, HostileCallers } from './testing/hostile-callers';
import { startAttack } from './testing/hostile-callers';

const CONNECTIONS = 60;
const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };
const BODY = JSON.stringify(QUOTE);
const QUOTES = `/api/v1/accounts/${CHILD}/quotes`;
const head = (lines: string[]): string => [...lines, 'Host: a', '', ''].join('\r\n');
const authorization = `Authorization: Bearer ${KEY.partner}`;

let gateway: GatewayUnderTest;
let attack: HostileCallers | undefined;
beforeAll(async () => {
  gateway = await startGateway('sandbox', {
    ...CONNECTION_LIMITS,
    headersMs: 2_000,
    requestMs: 4_000,
    lateEveryMs: 100,
    writeStallMs: 1_500,
    checkEveryMs: 50,
    unreadBytes: 4e9,
  });
});
afterEach(async () => {
  await attack?.stop();
  attack = undefined;
  gateway.clock.offset = 0;
});
afterAll(async () => {
  await dispatcher.close();
  await gateway.stop();
});

/** Each request has its own connection, so that only connections of the attack remain. */
const dispatcher = new Agent({ pipelining: 0 });

/** The statuses that a second partner gets at the same time from the same address. */
async function secondPartner(atOnce: number): Promise<number[]> {
  const statuses = await Promise.all(
    Array.from({ length: atOnce }, async () => {
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
      return statusCode;
    }),
  );
  return [...new Set(statuses)];
}

async function begin(wanted: Omit<Attack, 'connections'>): Promise<HostileCallers> {
  attack = await startAttack(gateway.port, { connections: CONNECTIONS, ...wanted });
  return attack;
}

const serverOf = (under: GatewayUnderTest) => under.app.getHttpServer() as Server;
const everyoneClosed = () =>
  eventually(async () => {
    const server = serverOf(gateway);
    expect(await promisify(server.getConnections.bind(server))()).toBe(0);
  }, 20_000);
const cut = async (reason: string): Promise<number> => {
  const name = `ponte_gateway_connections_cut_total{reason="${reason}"} `;
  const line = (await gateway.engines.metrics.registry.metrics()).split('\n').find((one) => one.startsWith(name));
  return Number(line?.slice(name.length) ?? 0);
};

it('the default limits check for late requests every second and allow 10 s for headers and 30 s for bodies', async () => {
  const asDeployed = await startGateway();
  const server = serverOf(asDeployed);
  expect([server.headersTimeout, server.requestTimeout, CONNECTION_LIMITS.writeStallMs]).toEqual([
    10_000, 30_000, 10_000,
  ]);
  await asDeployed.stop();
});

it('headers that trickle in are cut off while a second partner is served', async () => {
  const callers = await begin({
    opening: 'GET /api/v1/errors HTTP/1.1\r\nHost: ',
    trickle: 'a'.repeat(100),
    everyMs: 50,
  });
  expect(await secondPartner(64)).toEqual([200]);
  await everyoneClosed();
  expect((await callers.result()).closed).toEqual({ 408: CONNECTIONS });
});

it('bodies that trickle in hold no slot, are cut off, and do not count as slow responses', async () => {
  const callers = await begin({
    opening: head([
      `POST ${QUOTES} HTTP/1.1`,
      authorization,
      'Content-Type: application/json',
      `Content-Length: ${BODY.length}`,
    ]),
    trickle: BODY.slice(0, -1),
    everyMs: 50,
  });
  expect(await secondPartner(64)).toEqual([200]);
  // Simulates that they have been sending for longer than a slow service takes.
  gateway.clock.offset = 6_000;
  await everyoneClosed();
  expect((await callers.result()).closed).toEqual({ 408: CONNECTIONS });
  expect(await secondPartner(100)).toEqual([200]);
});

it('responses that are not read hold no slot, and their connections are cut off', async () => {
  await begin({
    opening:
      head([
        `POST ${QUOTES} HTTP/1.1`,
        authorization,
        'Content-Type: application/json',
        `Content-Length: ${BODY.length}`,
      ]) +
      BODY +
      head(['GET /docs/reference/viewer.js HTTP/1.1']).repeat(12),
    readBytes: 0,
    everyMs: 100,
  });
  expect(await secondPartner(64)).toEqual([200]);
  gateway.clock.offset = 6_000;
  await everyoneClosed();
  expect(await cut('write-stalled')).toBe(CONNECTIONS);
  expect(await secondPartner(100)).toEqual([200]);
});

it('responses that are read a few bytes at a time are cut off', async () => {
  const before = await cut('write-stalled');
  await begin({ opening: head(['GET /docs/reference/viewer.js HTTP/1.1']).repeat(12), readBytes: 100, everyMs: 100 });
  expect(await secondPartner(64)).toEqual([200]);
  await everyoneClosed();
  expect((await cut('write-stalled')) - before).toBe(CONNECTIONS);
});

it('16 pipelined requests without credentials are served per connection, which is then closed', async () => {
  const answered = async () =>
    (await gateway.engines.metrics.registry.getSingleMetric('ponte_gateway_requests_total')?.get())?.values
      .filter(({ labels }) => labels['status'] === '401')
      .reduce((sum, { value }) => sum + value, 0);
  expect(await answered()).toBe(0);
  await begin({ opening: head([`GET /api/v1/accounts/${CHILD} HTTP/1.1`]).repeat(200), readBytes: 0 });
  expect(await secondPartner(64)).toEqual([200]);
  await everyoneClosed();
  expect(await cut('pipelined')).toBe(CONNECTIONS);
  const total = await answered();
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(CONNECTION_LIMITS.pipelined * CONNECTIONS);
});
