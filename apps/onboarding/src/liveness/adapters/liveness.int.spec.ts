import type { Server, ServerResponse } from 'node:http';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { Agent } from 'undici';
import type { LivenessNotice } from '../liveness.port';
import type { CallbackServer } from '../../vendor/adapters/callback-server';
import { serveCallbacks } from '../../vendor/adapters/callback-server';
import { fieldAt } from '../../vendor/adapters/json-fields';
import { judgeSignature, signatureOf } from '../../vendor/adapters/signed-callback';
import type { LivenessVendor } from './http';
import { DEFAULT_FAILED, DEFAULT_LIVENESS_FIELDS, DEFAULT_PASSED, HttpLiveness } from './http';
import { SimulatedLiveness } from './simulated';

const NOW = Date.UTC(2026, 2, 1, 12);
const SECRET = 'whole secret of provider-1';
const OTHER = 'the secret that comes after';
const SIGNATURE = { secrets: [SECRET, OTHER], timestampHeader: 'x-timestamp', signatureHeader: 'x-signature' };
const sign = (body: string, secret = SECRET, seconds = NOW / 1000) => ({
  'x-timestamp': String(seconds),
  'x-signature': signatureOf(secret, String(seconds), Buffer.from(body)).toString('hex'),
});

describe('the signature of a callback: HMAC-SHA256 of timestamp.body', () => {
  const body = '{"a":1}';
  const judge = (headers: Record<string, string | undefined>, of = body) =>
    judgeSignature(SIGNATURE, headers, Buffer.from(of), NOW);
  const good = sign(body);

  it.each([
    ['the secret', good],
    ['the secret that replaces it', sign(body, OTHER)],
    ['one of several signatures', { ...good, 'x-signature': `v1=${'0'.repeat(64)},v1=${good['x-signature']}` }],
    ['upper case and a prefix', { ...good, 'x-signature': `sha256=${good['x-signature'].toUpperCase()}` }],
    ['five minutes late', sign(body, SECRET, NOW / 1000 - 300)],
    ['five minutes early', sign(body, SECRET, NOW / 1000 + 300)],
  ])('genuine: %s', (_, headers) => {
    expect(judge(headers)).toBe('genuine');
  });

  it.each<[string, string, Record<string, string | undefined>]>([
    ['unsigned', 'nothing', {}],
    ['unsigned', 'no timestamp', { 'x-signature': good['x-signature'] }],
    ['unsigned', 'no signature', { 'x-timestamp': good['x-timestamp'] }],
    ['unsigned', 'a signature of another form', { ...good, 'x-signature': 'abc' }],
    ['unsigned', 'an invalid time', { ...good, 'x-timestamp': '1e9' }],
    ['forged', 'another secret', sign(body, 'someone else altogether')],
    [
      'forged',
      'a signature of the body alone',
      { ...good, 'x-signature': signatureOf(SECRET, '', Buffer.from(body)).toString('hex') },
    ],
    ['forged', 'a time that was changed', { ...good, 'x-timestamp': String(NOW / 1000 + 1) }],
    ['stale', 'kept and sent again later', sign(body, SECRET, NOW / 1000 - 301)],
    ['stale', 'from the future', sign(body, SECRET, NOW / 1000 + 301)],
  ])('%s: %s', (verdict, _, headers) => {
    expect(judge(headers)).toBe(verdict);
  });

  it('any change of the body is noticed', () => {
    fc.assert(
      fc.property(fc.string(), (other) => {
        expect(judge(good, other) === 'genuine').toBe(other === body);
      }),
    );
  });
});

describe('providers of liveness, over HTTP', () => {
  type Behaviour = (response: ServerResponse) => void;
  let server: Server;
  let behave: Behaviour;
  let seen: { url?: string; headers?: Record<string, unknown> } = {};
  let door: CallbackServer;
  let warnings: string[] = [];
  let heard: LivenessNotice[] = [];
  let failing = false;
  const agent = new Agent();
  let liveness: HttpLiveness;

  const vendor = (name: string, more: Partial<LivenessVendor> = {}): LivenessVendor => ({
    name,
    resultUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sessions/{id}/result`,
    headers: { 'x-api-key': 'k' },
    fields: DEFAULT_LIVENESS_FIELDS,
    passed: DEFAULT_PASSED,
    failed: DEFAULT_FAILED,
    callback: null,
    ...more,
  });
  const providers = (timeoutMs: number) =>
    new HttpLiveness({
      vendors: [
        vendor('provider-1', { callback: SIGNATURE }),
        vendor('provider-2'),
        vendor('provider-3', {
          passed: ['green'],
          failed: ['red'],
          fields: { sessionId: 'data.session', outcome: 'data.colour', eventId: 'id', decidedAt: 'data.at' },
        }),
      ],
      timeoutMs,
      now: () => NOW,
      warn: (provider, reason) => {
        warnings.push(`${provider}: ${reason}`);
      },
      dispatcher: agent,
    });

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      seen = { url: incoming.url, headers: incoming.headers };
      behave(response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    liveness = providers(2_000);
    door = await serveCallbacks({
      host: '127.0.0.1',
      port: 0,
      routes: liveness.routes('/callbacks/liveness'),
      now: () => NOW,
      warn: ({ path, reason }) => {
        warnings.push(`${path}: ${reason}`);
      },
    });
  });
  afterAll(async () => {
    await door.close();
    await agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  beforeEach(() => {
    warnings = [];
    heard = [];
    failing = false;
    liveness.listen(async (notice) => {
      if (failing) throw new Error('the log is full');
      heard.push(notice);
    });
  });

  const says =
    (body: unknown, status = 200): Behaviour =>
    (response) => {
      response.statusCode = status;
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  const ask = (id = 'session/1?x', provider = 'provider-1') => liveness.resultOf({ provider, id });

  it.each([
    ['approved', 'passed'],
    ['PASSED', 'passed'],
    ['declined', 'failed'],
    ['processing', 'pending'],
    ['expired', 'pending'],
  ])('%s means %s', async (word, outcome) => {
    behave = says({
      'session-id': 'session-1',
      status: word,
      'event-id': 'evt-9',
      'decided-at': '2026-03-01T08:00:00-03:00',
    });
    await expect(ask()).resolves.toEqual({ outcome, providerEventId: 'evt-9', decidedAt: '2026-03-01T11:00:00.000Z' });
    expect(seen).toMatchObject({ url: '/sessions/session%2F1%3Fx/result', headers: { 'x-api-key': 'k' } });
  });

  it('reads what lies elsewhere; an id cannot change the address', async () => {
    behave = says({ id: 7, data: { session: 's', colour: 'red', at: NOW / 1000 - 5 } });
    await expect(ask('$&/../../admin', 'provider-3')).resolves.toEqual({
      outcome: 'failed',
      providerEventId: '7',
      decidedAt: '2026-03-01T11:59:55.000Z',
    });
    expect(seen.url).toBe('/sessions/%24%26%2F..%2F..%2Fadmin/result');
  });

  it('without an event or a time the word itself is the event, and never later than now', async () => {
    behave = says({ status: 'passed' });
    await expect(ask()).resolves.toEqual({
      outcome: 'passed',
      providerEventId: 'passed:2026-03-01T12:00:00.000Z',
      decidedAt: '2026-03-01T12:00:00.000Z',
    });
    behave = says({ status: 'passed', 'decided-at': '2099-01-01T00:00:00Z' });
    await expect(ask()).resolves.toMatchObject({ decidedAt: '2026-03-01T12:00:00.000Z' });
  });

  it('a session that the provider does not know, and a provider that is not configured, have decided nothing', async () => {
    behave = says({ error: 'no such session' }, 404);
    await expect(ask()).resolves.toMatchObject({ outcome: 'pending', providerEventId: 'unknown-session' });
    await expect(ask('s', 'provider-5')).resolves.toMatchObject({
      outcome: 'pending',
      providerEventId: 'not-configured',
    });
  });

  it.each<[string, Behaviour]>([
    ['401', says({ status: 'passed' }, 401)],
    ['500', says({ status: 'passed' }, 500)],
    [
      'a redirect',
      (response) => {
        response.writeHead(302, { location: '/else' });
        response.end();
      },
    ],
    ['no JSON', says('passed')],
    ['no word', says({ outcome: 'passed' })],
    ['an invalid status', says({ status: { passed: true } })],
    ['an invalid time', says({ status: 'passed', 'decided-at': 'soon' })],
    ['a cut connection', (response) => response.destroy()],
    ['no answer', () => undefined],
  ])('%s: it cannot tell', async (name, behaviour) => {
    behave = behaviour;
    const asked = (name === 'no answer' ? providers(50) : liveness).resultOf({
      provider: 'provider-1',
      id: 'secret-session',
    });
    await expect(asked).rejects.toMatchObject({ name: 'Unavailable', code: 'service-unavailable' });
    expect(warnings).toHaveLength(1);
    expect(warnings.join('')).not.toMatch(/secret-session|127\.0\.0\.1/);
  });

  describe('their callbacks', () => {
    const callback = (more: object = {}) =>
      JSON.stringify({
        'session-id': 'session-1',
        status: 'passed',
        'event-id': 'evt-1',
        'decided-at': '2026-03-01T11:00:00Z',
        ...more,
      });

    function send(
      body: string,
      { headers = sign(body) as Record<string, string>, path = '/callbacks/liveness/provider-1', method = 'POST' } = {},
    ): Promise<number> {
      return new Promise((resolve, reject) => {
        const outgoing = request({ host: '127.0.0.1', port: door.port, path, method, headers }, (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      });
    }

    it('arrive with their words', async () => {
      await expect(send(callback())).resolves.toBe(204);
      await expect(send(callback(), { path: '/callbacks/liveness/provider-1?from=eu' })).resolves.toBe(204);
      expect(heard[0]).toEqual({
        provider: 'provider-1',
        sessionId: 'session-1',
        outcome: 'passed',
        providerEventId: 'evt-1',
        decidedAt: '2026-03-01T11:00:00.000Z',
      });
      // Repeated ones arrive again, under the id by which the listener knows them.
      expect(heard[1]).toEqual(heard[0]);
    });

    it('reliability G8: forged, unsigned, kept and changed ones are refused before they are read', async () => {
      const body = callback();
      await expect(send(body, { headers: {} })).resolves.toBe(401);
      await expect(send(body, { headers: sign(body, 'someone else altogether') })).resolves.toBe(401);
      await expect(send(callback({ status: 'failed' }), { headers: sign(body) })).resolves.toBe(401);
      await expect(send(body, { headers: sign(body, SECRET, NOW / 1000 - 1_000) })).resolves.toBe(401);
      await expect(send('not json', { headers: sign(body) })).resolves.toBe(401);
      expect(heard).toEqual([]);
      expect(warnings.map((line) => line.split(': ')[1])).toEqual(['unsigned', 'forged', 'forged', 'stale', 'forged']);
    });

    it('signed nonsense is refused for good, and what could not be written down is to be sent again', async () => {
      for (const body of [
        'not json',
        'null',
        '[]',
        callback({ 'session-id': null }),
        callback({ 'event-id': '' }),
        callback({ status: 1.5 }),
        callback({ 'decided-at': 'soon' }),
        callback({ 'session-id': 'x'.repeat(201) }),
      ]) {
        await expect(send(body)).resolves.toBe(422);
      }
      failing = true;
      await expect(send(callback())).resolves.toBe(503);
      failing = false;
      await expect(send(callback())).resolves.toBe(204);
      expect(heard).toHaveLength(1);
      expect(warnings.join('')).not.toMatch(/session-1|log is full/);
    });

    it('other doors are shut', async () => {
      await expect(send(callback(), { path: '/callbacks/liveness/provider-2' })).resolves.toBe(404);
      await expect(send(callback(), { path: '/' })).resolves.toBe(404);
      await expect(send(callback(), { path: '/callbacks/liveness/provider-1', method: 'PUT' })).resolves.toBe(405);
      const large = callback({ note: 'x'.repeat(70_000) });
      await expect(send(large)).resolves.toBe(413);
      expect(heard).toEqual([]);
    });
  });
});

describe('the simulator', () => {
  let now = NOW;
  const opened = () => new SimulatedLiveness({ now: () => now });
  const at = (id: string) => ({ provider: 'provider-1', id });

  it('decides by the id of the session, the same after a restart', async () => {
    for (const simulator of [opened(), opened()]) {
      await expect(simulator.resultOf(at('session-1'))).resolves.toMatchObject({ outcome: 'passed' });
      await expect(simulator.resultOf(at('fail-1'))).resolves.toMatchObject({ outcome: 'failed' });
      await expect(simulator.resultOf(at('pend-1'))).resolves.toMatchObject({ outcome: 'pending' });
    }
    expect((await opened().resultOf(at('session-1'))).providerEventId).toBe(
      (await opened().resultOf(at('session-1'))).providerEventId,
    );
    expect((await opened().resultOf(at('session-1'))).providerEventId).not.toBe(
      (await opened().resultOf(at('session-2'))).providerEventId,
    );
  });

  it('decides when the test says so, and loses, repeats, delays and reorders its notices when configured to misbehave', async () => {
    const simulator = opened();
    const heard: string[] = [];
    simulator.listen(async ({ outcome }) => {
      heard.push(outcome);
    });
    simulator.misbehaviour.notices = 'held';
    await simulator.decide('provider-1', 'pend-1', 'failed');
    now += 1_000;
    await simulator.decide('provider-1', 'pend-1', 'passed');
    expect(heard).toEqual([]);
    await simulator.release();
    expect(heard).toEqual(['passed', 'failed']);
    await expect(simulator.resultOf(at('pend-1'))).resolves.toMatchObject({
      outcome: 'passed',
      decidedAt: '2026-03-01T12:00:01.000Z',
    });
    simulator.misbehaviour.notices = 'lost';
    await simulator.decide('provider-1', 'pend-2', 'passed');
    simulator.misbehaviour.notices = 'repeated';
    await simulator.decide('provider-1', 'pend-3', 'failed');
    expect(heard).toEqual(['passed', 'failed', 'failed', 'failed']);
    simulator.misbehaviour.failing = 1;
    await expect(simulator.resultOf(at('session-1'))).rejects.toMatchObject({ name: 'Unavailable' });
    await expect(simulator.resultOf(at('session-1'))).resolves.toMatchObject({ outcome: 'passed' });
  });
});

describe('a path into JSON', () => {
  it("walks an object's own members alone", () => {
    const document = { a: [{ b: 1 }], c: null };
    expect(fieldAt(document, 'a.0.b')).toBe(1);
    expect(fieldAt(document, '')).toBe(document);
    for (const path of ['a.1.b', 'constructor.name', '__proto__.x', 'c.d', 'a.0.b.c'])
      expect(fieldAt(document, path)).toBeUndefined();
  });
});
