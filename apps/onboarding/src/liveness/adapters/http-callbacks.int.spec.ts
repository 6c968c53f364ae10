import { request } from 'node:http';
import type { LivenessNotice } from '../liveness.port';
import type { CallbackServer } from '@ponte/nest';
import { serveVendorCallbacks } from '../../vendor/adapters/callback-server';
import { signatureOf } from '../../vendor/adapters/signed-callback';
import type { HttpLiveness } from './http.liveness.adapter';
import { NOW, SECRET, providersAt } from './providers.testing';

const sign = (body: string, secret = SECRET, seconds = NOW / 1000) => ({
  'x-timestamp': String(seconds),
  'x-signature': signatureOf(secret, String(seconds), Buffer.from(body)).toString('hex'),
});

describe('Liveness providers over HTTP', () => {
  let door: CallbackServer;
  let warnings: string[] = [];
  let heard: LivenessNotice[] = [];
  let failing = false;
  let liveness: HttpLiveness;

  beforeAll(async () => {
    liveness = providersAt('http://127.0.0.1', { warn: (line) => void warnings.push(line) });
    door = await serveVendorCallbacks({
      host: '127.0.0.1',
      port: 0,
      routes: liveness.routes('/callbacks/liveness'),
      now: () => NOW,
      warn: ({ route, reason }) => {
        warnings.push(`${route}: ${reason}`);
      },
    });
  });
  afterAll(() => door.close());
  beforeEach(() => {
    warnings = [];
    heard = [];
    failing = false;
    liveness.listen(async (notice) => {
      if (failing) throw new Error('the log is full');
      heard.push(notice);
    });
  });

  describe('with callbacks', () => {
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

    it('deliver their results', async () => {
      await expect(send(callback())).resolves.toBe(204);
      await expect(send(callback(), { path: '/callbacks/liveness/provider-1?from=eu' })).resolves.toBe(204);
      expect(heard[0]).toEqual({
        provider: 'provider-1',
        sessionId: 'session-1',
        outcome: 'passed',
        providerEventId: 'evt-1',
        decidedAt: '2026-03-01T11:00:00.000Z',
      });
      // A repeated callback is delivered again, with the same event id.
      expect(heard[1]).toEqual(heard[0]);
    });

    it('are refused before parsing if a callback is forged, unsigned, stale or changed', async () => {
      const body = callback();
      await expect(send(body, { headers: {} })).resolves.toBe(401);
      await expect(send(body, { headers: sign(body, 'someone else altogether') })).resolves.toBe(401);
      await expect(send(callback({ status: 'failed' }), { headers: sign(body) })).resolves.toBe(401);
      await expect(send(body, { headers: sign(body, SECRET, NOW / 1000 - 1_000) })).resolves.toBe(401);
      await expect(send('not json', { headers: sign(body) })).resolves.toBe(401);
      expect(heard).toEqual([]);
      expect(warnings.map((line) => line.split(': ')[1])).toEqual(['unsigned', 'forged', 'forged', 'stale', 'forged']);
    });

    it('are refused permanently if a signed callback is invalid, and asked to resend if it could not be recorded', async () => {
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

    it('reach no other route', async () => {
      await expect(send(callback(), { path: '/callbacks/liveness/provider-2' })).resolves.toBe(404);
      await expect(send(callback(), { path: '/' })).resolves.toBe(404);
      await expect(send(callback(), { path: '/callbacks/liveness/provider-1', method: 'PUT' })).resolves.toBe(405);
      const large = callback({ note: 'x'.repeat(70_000) });
      await expect(send(large)).resolves.toBe(413);
      expect(heard).toEqual([]);
    });
  });
});
