import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { eventually } from '@ponte/testing';
import { whenOver } from './admission.service';

const REQUESTS = 20;

describe('the work at the end of a request', () => {
  let server: Server;
  let entered = 0;
  let left = 0;
  let answers = false;
  const waiting: (() => void)[] = [];
  beforeEach(async () => {
    [entered, left] = [0, 0];
    server = createServer((request, reply) => {
      entered += 1;
      whenOver(request, reply, () => {
        left += 1;
      });
      const answer = (): void => void reply.end('done');
      if (answers) answer();
      else waiting.push(answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Pipelined requests on one connection. */
  const sent = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      .on('error', () => undefined)
      .resume();
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(REQUESTS));
    await eventually(() => expect(entered).toBe(REQUESTS));
    return socket;
  };

  it('is done for each answered request while the connection stays open', async () => {
    answers = true;
    const socket = await sent();
    await eventually(() => expect(left).toBe(REQUESTS));
    expect(socket.destroyed).toBe(false);
    socket.destroy();
    await eventually(() => expect(left).toBe(REQUESTS));
  });

  it('is done once for each request whose caller disconnected, including those behind the first', async () => {
    answers = false;
    (await sent()).destroy();
    await eventually(() => expect(left).toBe(REQUESTS));
    for (const answer of waiting.splice(0)) answer();
    await new Promise((done) => {
      setImmediate(done);
    });
    expect(left).toBe(REQUESTS);
  });
});
