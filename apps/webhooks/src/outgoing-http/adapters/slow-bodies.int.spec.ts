import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@ponte/testing';
import { targetRules } from '../../endpoints/target.domain';
import type { OutgoingAnswer } from '../outgoing-http.port';
import { MAX_BODIES_PER_ORIGIN, undiciHttp } from './undici.outgoing-http.adapter';

const REQUESTS = 3 * MAX_BODIES_PER_ORIGIN;

describe('a receiver that responds at once and never ends its response', () => {
  let server: Server;
  const open = new Set<ServerResponse>();
  // Longer than the test, so that no body ends because of the time limit.
  const http = undiciHttp({ rules: targetRules('sandbox'), totalMs: 120_000 });
  const post = (): Promise<OutgoingAnswer> =>
    http.post({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, headers: {}, body: '{}' });

  beforeAll(async () => {
    server = createServer((_request, response) => {
      open.add(response);
      response.on('close', () => open.delete(response));
      response.writeHead(200);
      response.write('first');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  it('holds a limited number of connections, and each request counts as delivered', async () => {
    const answers: OutgoingAnswer[] = [];
    for (let at = 0; at < REQUESTS; at += 1) answers.push(await post());
    expect(answers.every((answer) => answer.kind === 'answered' && answer.status === 200)).toBe(true);
    await eventually(() => {
      expect(open.size).toBeLessThanOrEqual(MAX_BODIES_PER_ORIGIN);
    });
    const last = answers.at(-1);
    expect(last?.kind === 'answered' && (await last.excerpt)).toBe('');
  });
});
