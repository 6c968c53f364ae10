import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { eventually } from '@ponte/testing';
import type { ConnectionLimits } from '../server/limits';
import type { CutReason } from './connection-guard';
import { ConnectionGuard } from './connection-guard';
import { inPieces } from '../bodies/in-pieces';

const MB = 1024 * 1024;
const LIMITS: ConnectionLimits = {
  perAddress: 100,
  pipelined: 8,
  unreadBytes: 64 * MB,
  writeStallMs: 300,
  checkEveryMs: 20,
};
const LARGE = Buffer.alloc(16 * MB);

let server: Server;
let served: number;
let isProxy = false;
let cuts: CutReason[];
let callers: Socket[];
let checking: NodeJS.Timeout;
/** Time passes with the checks only, so that a pause of the machine does not look like a caller that stops reading. */
let now = 0;

async function start(limits: Partial<ConnectionLimits>): Promise<void> {
  [served, cuts, callers, isProxy] = [0, [], [], false];
  const guard = new ConnectionGuard(
    { ...LIMITS, ...limits },
    () => isProxy,
    () => now,
  );
  guard.onCut = (reason) => cuts.push(reason);
  const serve: RequestListener = (request, response) => {
    served += 1;
    if (request.url === '/count') {
      let length = 0;
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      request.on('end', () => response.end(`took ${length}`));
      return;
    }
    if (request.url?.startsWith('/echo') === true) return void response.end(`${request.url}!${'y'.repeat(2_000)}`);
    if (request.url === '/large') inPieces(LARGE).pipe(response);
    else response.end(request.url === '/whole' ? LARGE : 'small');
  };
  server = createServer(guard.listener(serve));
  guard.watch(server);
  checking = setInterval(() => {
    now += guard.limits.checkEveryMs;
    guard.check();
  }, guard.limits.checkEveryMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
afterEach(() => {
  clearInterval(checking);
  for (const caller of callers) caller.destroy();
  server.closeAllConnections();
  server.close();
});

async function call(path: string, times = 1): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  callers.push(socket);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(times));
  return socket;
}

describe('the connection guard', () => {
  it('serves pipelined requests up to the limit, the last with Connection: close', async () => {
    await start({});
    const socket = await call('/', 12);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
    await once(socket, 'end');
    expect([served, received.split('small').length - 1, received.match(/Connection: close/g)?.length]).toEqual([
      8, 8, 1,
    ]);
    expect(cuts).toEqual(['pipelined']);
  });

  it('cuts a caller that pipelines far more at once', async () => {
    await start({});
    const socket = await call('/', 1_000);
    // Cutting may also reset the connection, which is an error of the socket.
    await new Promise((resolve) => {
      socket.resume().once('close', resolve);
    });
    expect([served, cuts]).toEqual([8, ['pipelined']]);
  });

  it('does not limit a caller that pipelines fewer requests and reads the responses', async () => {
    await start({});
    const socket = (await call('/', 7)).resume();
    for (let round = 1; round < 5; round += 1) {
      await eventually(() => expect(served).toBe(7 * round));
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(7));
    }
    await eventually(() => expect(served).toBe(35));
    expect(cuts).toEqual([]);
  });

  it('cuts a connection whose response is not read in time, but not one that is read slowly and steadily', async () => {
    // Long for a busy machine, but less than reading the response takes at the pace of the steady reader.
    await start({ writeStallMs: 1_000 });
    const unread = await call('/large');
    const steady = await call('/large');
    let read = 0;
    steady.on('data', (chunk: Buffer) => {
      read += chunk.length;
      steady.pause();
      setTimeout(() => steady.resume(), 5);
    });
    unread.pause();
    await eventually(() => expect(cuts).toEqual(['write-stalled']));
    await eventually(() => expect(read).toBeGreaterThan(4 * MB), 60_000);
    expect(cuts).toEqual(['write-stalled']);
  });

  it('cuts the connections with the most unread bytes first when all together have too many', async () => {
    await start({ writeStallMs: 60_000 });
    const small = (await call('/')).pause();
    for (let count = 0; count < 6; count += 1) (await call('/whole')).pause();
    await eventually(() => expect(cuts.length).toBeGreaterThan(2));
    expect(new Set(cuts)).toEqual(new Set(['unread-bytes']));
    small.resume();
    expect((await once(small, 'data')).toString()).toContain('small');
  });

  it('limits the connections of an address, but not those of a proxy', async () => {
    await start({ perAddress: 3 });
    const kept = [await call('/'), await call('/'), await call('/')];
    for (const socket of kept) await once(socket, 'data');
    const refused = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    await new Promise((resolve) => {
      refused.resume().once('close', resolve);
    });
    expect([served, cuts]).toEqual([3, ['too-many']]);
    kept[0]?.destroy();
    await eventually(async () => expect(await promisify(server.getConnections.bind(server))()).toBe(2));
    expect(String((await once(await call('/'), 'data'))[0])).toContain('small');
    isProxy = true;
    for (let count = 0; count < 4; count += 1) await once(await call('/'), 'data');
  });

  it('passes on a body that arrives in large reads unchanged, even if it looks like requests', async () => {
    await start({});
    const body = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20_000);
    const socket = await call('/');
    await once(socket, 'data');
    socket.write(`POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect(String((await once(socket, 'data'))[0])).toContain(`took ${body.length}`);
    expect([served, cuts]).toEqual([2, []]);
  });

  it('sends each response once and in order to a caller that pipelines and then reads', async () => {
    await start({ pipelined: 100 });
    const socket = await call('/');
    socket.write(
      Array.from(
        { length: 90 },
        (_, index) => `GET /echo/${index} HTTP/1.1\r\nHost: a\r\nX-Fill: ${'x'.repeat(500)}\r\n\r\n`,
      ).join(''),
    );
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
    });
    await eventually(() =>
      expect(received.match(/echo\/\d+!/g)).toEqual(Array.from({ length: 90 }, (_, index) => `echo/${index}!`)),
    );
  });

  it('cuts a connection that was ended but that the caller keeps open', async () => {
    await start({});
    server.on('clientError', (_error, socket) => {
      socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    });
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true }).on(
      'error',
      () => undefined,
    );
    callers.push(socket);
    socket.write('garbage\r\n\r\n');
    await once(socket.resume(), 'end');
    await eventually(() => expect(cuts).toEqual(['write-stalled']));
  });
});
