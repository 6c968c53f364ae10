import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { CallbackServer } from './callback-server';
import { serveCallbacks } from './callback-server';

const agent = new Agent({ keepAlive: true });
let received: () => Promise<void>;
let server: CallbackServer;

beforeEach(async () => {
  received = () => Promise.resolve();
  server = await serveCallbacks({
    host: '127.0.0.1',
    port: 0,
    bodyLimit: 1_000,
    requestTimeoutMs: 500,
    warn: () => undefined,
    routes: [{ path: '/callbacks/bank', name: 'bank', refusal: () => null, receive: () => received() }],
  });
});
afterAll(() => agent.destroy());

const callback = (): Promise<IncomingHttpHeaders> =>
  new Promise((resolve, reject) => {
    request({ agent, method: 'POST', port: server.port, host: '127.0.0.1', path: '/callbacks/bank' }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.headers));
    })
      .on('error', reject)
      .end('{}');
  });

test('a connection stays open for longer than an ingress keeps it, because the ingress does not repeat a POST', async () => {
  const { 'keep-alive': keepAlive } = await callback();
  expect(Number(String(keepAlive).replace('timeout=', ''))).toBeGreaterThan(60);
  await server.close();
});

test('a stopping server finishes the callback in progress and then closes its connection', async () => {
  let finish: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    received = () => {
      resolve();
      return new Promise((done) => (finish = done));
    };
  });
  const answer = callback();
  await begun;
  const closed = server.close();
  finish();
  expect((await answer).connection).toBe('close');
  await closed;
});

test.each([
  ['nothing', ''],
  ['half of a request', 'POST /callbacks/bank HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{'],
])('a stopping server does not wait for a connection that has sent %s', async (_what, sent) => {
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  // A response shows that the server has seen the other connection too.
  await callback();
  await server.close();
  socket.destroy();
});
