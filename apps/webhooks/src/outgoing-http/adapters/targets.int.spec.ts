import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { targetRules } from '../../endpoints/target.domain';
import { guardedConnector, TargetRefused } from './guarded-connector';
import type { Resolve } from './resolve';
import { resolvedAddresses, resolvingWith } from './resolve';
import { undiciHttp } from './undici.outgoing-http.adapter';
import { REACHING, INTERNAL } from '../../testing/target-addresses';

/** Strict about addresses only, so that nothing else can be the reason for a refusal. */
const ADDRESSES_ONLY = { plainHttpAllowed: true, privateAllowed: false, ports: null };
const resolvesTo = (...rounds: readonly string[][]): { resolve: Resolve; calls: () => number } => {
  let calls = 0;
  return {
    calls: () => calls,
    resolve: async () =>
      (rounds[Math.min(calls++, rounds.length - 1)] ?? []).map((address) => ({
        address,
        family: address.includes(':') ? 6 : 4,
      })),
  };
};

describe('webhook targets', () => {
  let server: Server;
  let port = 0;
  let connections = 0;
  let requests = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(302, { location: `http://127.0.0.1:${port}/internal`, connection: 'close' }).end();
    }).on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '::', resolve);
    });
    ({ port } = server.address() as AddressInfo);
  });
  beforeEach(() => {
    connections = requests = 0;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });

  const send = async (host: string, options: Partial<Parameters<typeof undiciHttp>[0]> = {}): Promise<unknown> => {
    const http = undiciHttp({ rules: ADDRESSES_ONLY, totalMs: 60_000, ...options });
    const answer = await http.post({ url: `http://${host}:${port}/hook`, headers: {}, body: '{}' });
    await http.close();
    return answer;
  };

  it.each(REACHING)('get no connection at %s, which would reach the listener without the check', async (host) => {
    expect(await send(host)).toEqual({ kind: 'failed', reason: 'target-refused' });
    expect(connections).toBe(0);
    expect(await send(host, { rules: targetRules('sandbox') })).toMatchObject({ kind: 'answered', status: 302 });
    expect(connections).toBe(1);
  });

  it.each(INTERNAL)('get no request at %s', async (host) => {
    expect(await send(host)).toEqual({ kind: 'failed', reason: 'target-refused' });
    expect(connections).toBe(0);
  });

  it.each([['127.0.0.1'], ['::1'], ['::ffff:127.0.0.1'], ['93.184.216.34', '127.0.0.1']])(
    'are not connected to when their name has the addresses %s %s',
    async (...addresses) => {
      expect(await send('partner.example', { resolve: resolvesTo(addresses).resolve })).toEqual({
        kind: 'failed',
        reason: 'target-refused',
      });
      expect(connections).toBe(0);
    },
  );

  it('are resolved once per connection, so that DNS rebinding has no effect', async () => {
    const allowed = new Set(['127.0.0.1']);
    const name = resolvesTo(['127.0.0.1'], ['127.0.0.2']);
    const connect = guardedConnector({
      rules: ADDRESSES_ONLY,
      resolve: name.resolve,
      timeoutMs: 60_000,
      isAllowed: (address) => allowed.has(address),
    });
    const target = { hostname: 'partner.example', host: 'partner.example', protocol: 'http:', port: String(port) };
    const attempt = () =>
      new Promise<Error | null>((resolve) => {
        connect(target, (error, socket) => {
          socket?.destroy();
          resolve(error);
        });
      });
    expect([await attempt(), name.calls(), connections]).toEqual([null, 1, 1]);
    expect([await attempt(), name.calls(), connections]).toEqual([expect.any(TargetRefused), 2, 1]);
  });

  it('get no request over a socket that is connected to an address that was not checked', async () => {
    let checks = 0;
    const connect = guardedConnector({
      rules: ADDRESSES_ONLY,
      resolve: resolvesTo(['127.0.0.1']).resolve,
      timeoutMs: 60_000,
      isAllowed: () => (checks += 1) === 1,
    });
    const error = await new Promise((resolve) => {
      connect({ hostname: 'partner.example', protocol: 'http:', port: String(port) }, (...[failure]) =>
        resolve(failure),
      );
    });
    expect([error, checks, requests]).toEqual([expect.any(TargetRefused), 2, 0]);
  });

  it('cannot redirect a request', async () => {
    expect(await send('127.0.0.1', { rules: targetRules('sandbox') })).toMatchObject({ kind: 'answered', status: 302 });
    expect(requests).toBe(1);
  });

  it('pass the check at creation when their name does not resolve, since each attempt resolves it again', async () => {
    const failing = resolvedAddresses(async () => {
      throw new Error('ENOTFOUND');
    });
    expect(await failing.of('https://partner.example/')).toEqual([]);
    expect(await resolvedAddresses(resolvesTo(['10.0.0.1']).resolve).of('https://partner.example/')).toEqual([
      '10.0.0.1',
    ]);
  });

  it('are looked up by their whole name, so that search domains of the cluster find no internal name', async () => {
    const lookups: string[] = [];
    const resolve = resolvingWith(async (name) => {
      lookups.push(name);
      return [];
    });
    for (const host of ['postgres.ponte', 'partner.example.', '93.184.216.34', '::1']) await resolve(host);
    expect(lookups).toEqual(['postgres.ponte.', 'partner.example.', '93.184.216.34', '::1']);
  });

  it('may be local names in the sandbox', async () => {
    await send('localhost', { rules: targetRules('sandbox') });
    expect(requests).toBe(1);
  });
});
