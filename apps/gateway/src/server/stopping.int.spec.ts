import 'reflect-metadata';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { GetOrder } from '@ponte/contracts';
import type { OrderRecord } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { orderRecord } from '../testing/records/records';
import { SAMPLE } from '../api/samples';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { startGateway } from '../testing/gateway-under-test';
import { EDGE_TIMEOUTS } from './limits';

const BODY = JSON.stringify({ 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' });
const HEAD = [
  `POST /api/v1/accounts/${CHILD}/quotes HTTP/1.1`,
  'Host: a',
  `Authorization: Bearer ${KEY.partner}`,
  'Content-Type: application/json',
  `Content-Length: ${BODY.length}`,
  '',
  '',
].join('\r\n');

let gateway: GatewayUnderTest;
const callers: Socket[] = [];
const server = () => gateway.app.getHttpServer();
const openConnections = (): Promise<number> => promisify(server().getConnections.bind(server()))();
beforeEach(async () => {
  gateway = await startGateway('sandbox', { ...EDGE_TIMEOUTS, headersMs: 1_000, requestMs: 1_000 });
});
afterEach(() => {
  for (const caller of callers.splice(0)) caller.destroy();
});

/** A caller that keeps its connection open. */
async function caller(sent: string): Promise<{ received: string; closed: boolean }> {
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
  callers.push(socket);
  const said = { received: '', closed: false };
  socket.on('close', () => (said.closed = true));
  socket.on('data', (chunk: Buffer) => (said.received += String(chunk)));
  await once(socket, 'connect');
  socket.write(sent);
  return said;
}

describe('A gateway that stops', () => {
  it.each([
    ['nothing', ''],
    ['half of a head', HEAD.slice(0, 40)],
  ])('does not wait for a connection that has sent %s', async (_what, sent) => {
    await caller(sent);
    await eventually(async () => expect(await openConnections()).toBe(1));
    await gateway.stop();
  });

  it('waits for the rest of a body no longer than a request may take', async () => {
    const begun = once(server(), 'request');
    await caller(HEAD + BODY.slice(0, 10));
    await begun;
    await gateway.stop();
  });

  it('completes the requests in progress, and closes their connections', async () => {
    let answer = (_order: OrderRecord): void => undefined;
    gateway.bus.on(GetOrder, () => new Promise<OrderRecord>((resolve) => (answer = resolve)));
    const path = `/api/v1/accounts/${CHILD}/orders/${SAMPLE.orderId}`;
    const said = await caller(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${KEY.partner}\r\n\r\n`);
    await eventually(() => expect(gateway.bus.requestsOf(GetOrder)).toHaveLength(1));
    const stopped = gateway.stop();
    await eventually(() => expect(server().listening).toBe(false));
    answer(orderRecord({ accountId: CHILD }));
    await stopped;
    expect(said.received).toMatch(/^HTTP\/1.1 200 [^]*"order"/);
    await eventually(() => expect(said.closed).toBe(true));
  });
});
