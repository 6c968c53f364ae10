import 'reflect-metadata';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { ListAccountEvents } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';
import { EventStreams, STREAMS_PER_KEY } from './event-streams.service';

const REQUEST = [
  `GET /api/v1/accounts/${CHILD}/events/stream HTTP/1.1`,
  'host: gateway',
  `authorization: Bearer ${KEY.partner}`,
  '\r\n',
].join('\r\n');

describe('an event stream', () => {
  let gateway: GatewayUnderTest;
  let streams: EventStreams;
  /** Answers to the requests for a page, which wait until the test calls them. */
  const pages: (() => void)[] = [];
  const sockets: Socket[] = [];
  beforeEach(async () => {
    pages.length = 0;
    gateway = await startGateway();
    streams = gateway.app.get(EventStreams);
    gateway.bus.on(
      ListAccountEvents,
      () =>
        new Promise((answer) => {
          pages.push(() => answer({ expired: false as const, events: [], next: 5, more: false }));
        }),
    );
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await gateway.stop();
  });

  const sent = async (requests = 1): Promise<Socket> => {
    const socket = connect(gateway.port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(REQUEST.repeat(requests));
    return socket;
  };
  const openCount = (): number => (streams as unknown as { openCount: number }).openCount;
  const connections = (): Promise<number> =>
    new Promise((resolve) => {
      gateway.app.getHttpServer().getConnections((_, count) => resolve(count));
    });
  const answerPages = (): void => {
    for (const answer of pages.splice(0)) answer();
  };

  it('gives its slot back if the client disconnects while the first page is read', async () => {
    for (let at = 0; at < STREAMS_PER_KEY; at += 1) await sent();
    await eventually(() => expect(pages).toHaveLength(STREAMS_PER_KEY));
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await connections()).toBe(0));
    answerPages();
    await eventually(() => expect(openCount()).toBe(0));
  });

  it('gives its slot back if the client disconnects behind another one on its connection', async () => {
    const socket = (await sent(STREAMS_PER_KEY)).resume();
    await eventually(() => expect(pages).toHaveLength(STREAMS_PER_KEY));
    answerPages();
    await once(socket, 'data');
    expect(openCount()).toBe(STREAMS_PER_KEY);
    socket.destroy();
    await eventually(() => expect(openCount()).toBe(0));
  });

  it('is refused if the process begins to stop while the first page is read', async () => {
    const stop = jest.spyOn(streams, 'beforeApplicationShutdown');
    const socket = await sent();
    const response = once(socket, 'data');
    await eventually(() => expect(pages).toHaveLength(1));
    const stopping = gateway.app.close();
    await eventually(() => expect(stop).toHaveBeenCalled());
    answerPages();
    expect(String(await response)).toMatch(/^HTTP\/1.1 503 [^]*service-unavailable/);
    socket.destroy();
    await stopping;
  });
});
