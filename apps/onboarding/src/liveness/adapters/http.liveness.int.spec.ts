import type { Behaviour } from '../../vendor/adapters/vendor-server.testing';
import { VendorServer, says } from '../../vendor/adapters/vendor-server.testing';
import type { HttpLiveness } from './http.liveness.adapter';
import { NOW, providersAt } from './providers.testing';

describe('Liveness providers over HTTP', () => {
  const server = new VendorServer();
  let warnings: string[] = [];
  let liveness: HttpLiveness;

  const providers = (timeoutMs?: number) =>
    providersAt(server.origin, {
      timeoutMs,
      warn: (line) => void warnings.push(line),
      dispatcher: server.agent,
    });

  beforeAll(async () => {
    await server.start();
    liveness = providers();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    warnings = [];
  });

  const ask = (id = 'session/1?x', provider = 'provider-1') => liveness.resultOf({ provider, id });

  it.each([
    ['approved', 'passed'],
    ['PASSED', 'passed'],
    ['declined', 'failed'],
    ['processing', 'pending'],
    ['expired', 'pending'],
  ])('may answer %s, which means %s', async (word, outcome) => {
    server.behave = says({
      'session-id': 'session/1?x',
      status: word,
      'event-id': 'evt-9',
      'decided-at': '2026-03-01T08:00:00-03:00',
    });
    await expect(ask()).resolves.toEqual({ outcome, providerEventId: 'evt-9', decidedAt: '2026-03-01T11:00:00.000Z' });
    expect(server.seen).toMatchObject({ url: '/sessions/session%2F1%3Fx/result', headers: { 'x-api-key': 'k' } });
  });

  it('are read at configured paths, and a session id cannot change the address', async () => {
    server.behave = says({ id: 7, data: { session: '$&/../../admin', colour: 'red', at: NOW / 1000 - 5 } });
    await expect(ask('$&/../../admin', 'provider-3')).resolves.toEqual({
      outcome: 'failed',
      providerEventId: '7',
      decidedAt: '2026-03-01T11:59:55.000Z',
    });
    expect(server.seen.url).toBe('/sessions/%24%26%2F..%2F..%2Fadmin/result');
  });

  it.each(['.', '..'])('are not asked about a session %s, which would be a step in the path', async (id) => {
    server.behave = says({ status: 'passed' });
    server.seen = {};
    await expect(ask(id)).resolves.toMatchObject({ outcome: 'pending', providerEventId: 'unknown-session' });
    expect(server.seen).toEqual({});
  });

  it('have not decided about a session that they answer with another id, such as another spelling of it', async () => {
    server.behave = says({ 'session-id': 'session/1?x', status: 'passed' });
    await expect(ask('SESSION/1?X')).resolves.toMatchObject({
      outcome: 'pending',
      providerEventId: 'unknown-session',
    });
    await expect(ask()).resolves.toMatchObject({ outcome: 'passed' });
  });

  it('may omit the event and the time, and never count as later than now', async () => {
    server.behave = says({ status: 'passed' });
    await expect(ask()).resolves.toEqual({
      outcome: 'passed',
      providerEventId: 'passed:2026-03-01T12:00:00.000Z',
      decidedAt: '2026-03-01T12:00:00.000Z',
    });
    server.behave = says({ status: 'passed', 'decided-at': '2099-01-01T00:00:00Z' });
    await expect(ask()).resolves.toMatchObject({ decidedAt: '2026-03-01T12:00:00.000Z' });
  });

  it('have not decided if they do not know the session or are not configured', async () => {
    server.behave = says({ error: 'no such session' }, 404);
    await expect(ask()).resolves.toMatchObject({ outcome: 'pending', providerEventId: 'unknown-session' });
    await expect(ask('s', 'provider-5')).resolves.toMatchObject({
      outcome: 'pending',
      providerEventId: 'not-configured',
    });
  });

  it.each([400, 409, 410, 414, 422])(
    'have not decided about a session that they refuse with %i, which is not an outage but is reported',
    async (status) => {
      server.behave = says({ error: 'not an id' }, status);
      await expect(ask('secret-session')).resolves.toMatchObject({
        outcome: 'pending',
        providerEventId: 'unknown-session',
      });
      expect(warnings).toEqual([`provider-1: the vendor responded with ${status}`]);
    },
  );

  it.each<[string, Behaviour]>([
    ['403', says({ status: 'passed' }, 403)],
    ['408', says({ status: 'passed' }, 408)],
    ['429', says({ status: 'passed' }, 429)],
    ['401', says({ status: 'passed' }, 401)],
    ['500', says({ status: 'passed' }, 500)],
    [
      'a redirect',
      (response) => {
        response.writeHead(302, { location: '/else' });
        response.end();
      },
    ],
    ['a response that is not JSON', says('passed')],
    ['a response without an outcome', says({ outcome: 'passed' })],
    ['an invalid status', says({ status: { passed: true } })],
    ['an invalid time', says({ status: 'passed', 'decided-at': 'soon' })],
    ['a broken connection', (response) => response.destroy()],
    ['no response', () => undefined],
  ])('are unavailable after %s', async (name, behaviour) => {
    server.behave = behaviour;
    const result = (name === 'no response' ? providers(50) : liveness).resultOf({
      provider: 'provider-1',
      id: 'secret-session',
    });
    await expect(result).rejects.toMatchObject({ name: 'Unavailable', code: 'service-unavailable' });
    expect(warnings).toHaveLength(1);
    expect(warnings.join('')).not.toMatch(/secret-session|127\.0\.0\.1/);
  });
});
