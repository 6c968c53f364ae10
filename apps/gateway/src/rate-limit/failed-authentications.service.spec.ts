import type { FastifyRequest } from 'fastify';
import type { PublicErrorCode } from '@ponte/kernel';
import { Metrics } from '@ponte/observability';
import { ApiError } from '../errors/api-error';
import { readGatewaySettings } from '../gateway.config';
import { FailedAuthentications } from './failed-authentications.service';

const KNOWN = `ak_test_${'a'.repeat(24)}`;
const INVENTED = `ak_test_${'b'.repeat(24)}`;

function setUp(perMinute = 2) {
  const clock = { ms: 0 };
  const failures = new FailedAuthentications(
    { failedAuthenticationsPerMinute: perMinute },
    { now: () => clock.ms },
    { knows: (keyId) => keyId === KNOWN },
    new Metrics(),
  );
  const checked: string[] = [];
  /** The result of a request: its code, or `accepted`; with Retry-After if it was limited. */
  const request = async (code: 'accepted' | PublicErrorCode, ip = '192.0.2.1', keyId = INVENTED) => {
    const sent = { headers: { 'x-api-key': keyId }, ip } as unknown as FastifyRequest;
    try {
      return await failures.limit(sent, async () => {
        checked.push(keyId);
        if (code !== 'accepted') throw new ApiError(code);
        return 'accepted';
      });
    } catch (error) {
      const { definition, headers } = error as ApiError;
      const wait = headers?.['retry-after'];
      return wait === undefined ? definition.code : `${definition.code} ${wait}`;
    }
  };
  return { clock, checked, request };
}

describe('failed authentications from one address', () => {
  it('are answered with 429 and Retry-After once there are too many, until some time has passed', async () => {
    const { clock, checked, request } = setUp();
    expect(await request('unknown-api-key')).toBe('unknown-api-key');
    expect(await request('unknown-api-key')).toBe('unknown-api-key');
    expect(await request('unknown-api-key')).toBe('too-many-failed-authentications 30');
    expect(checked).toHaveLength(3);
    // Now invented ids are not even looked up.
    expect(await request('unknown-api-key')).toBe('rate-limited 30');
    clock.ms = 29_000;
    expect(await request('unknown-api-key')).toBe('rate-limited 1');
    expect(checked).toHaveLength(3);
    clock.ms = 30_000;
    expect(await request('unknown-api-key')).toBe('unknown-api-key');
    expect(await request('unknown-api-key')).toBe('too-many-failed-authentications 30');
    expect(await request('unknown-api-key')).toBe('rate-limited 30');
  });

  it('do not lock out a key in use: it is still checked, and only its failures are limited', async () => {
    const { request } = setUp();
    for (let failed = 0; failed < 4; failed += 1) await request('unknown-api-key');
    expect(await request('accepted', '192.0.2.1', KNOWN)).toBe('accepted');
    for (let failed = 0; failed < 2; failed += 1)
      expect(await request('invalid-signature', '192.0.2.1', KNOWN)).toBe('invalid-signature');
    expect(await request('invalid-signature', '192.0.2.1', KNOWN)).toBe('too-many-failed-authentications 30');
    expect(await request('accepted', '192.0.2.1', KNOWN)).toBe('accepted');
  });

  it('of a known key, such as one that was revoked, do not delay a new key of the same address', async () => {
    const { request } = setUp();
    for (let failed = 0; failed < 9; failed += 1) await request('revoked-api-key', '192.0.2.1', KNOWN);
    expect(await request('revoked-api-key', '192.0.2.1', KNOWN)).toBe('too-many-failed-authentications 30');
    expect(await request('accepted', '192.0.2.1', INVENTED)).toBe('accepted');
  });

  it('do not affect other addresses; addresses of one IPv6 network count as one', async () => {
    const { request } = setUp();
    for (const last of ['1', '2', '3']) await request('unknown-api-key', `2001:db8:0:1::${last}`);
    expect(await request('unknown-api-key', '2001:db8:0:1:ffff::9')).toBe('rate-limited 30');
    expect(await request('unknown-api-key', '2001:db8:0:2::1')).toBe('unknown-api-key');
    expect(await request('unknown-api-key', '::ffff:192.0.2.7')).toBe('unknown-api-key');
    expect(await request('unknown-api-key', '192.0.2.7')).toBe('unknown-api-key');
    expect(await request('unknown-api-key', '::ffff:192.0.2.7')).toBe('too-many-failed-authentications 30');
  });

  it('are only those whose credentials were wrong', async () => {
    const { request } = setUp();
    for (const code of ['missing-credentials', 'ip-not-allowed', 'service-unavailable'] as const)
      for (let sent = 0; sent < 4; sent += 1) expect(await request(code)).toBe(code);
  });

  it('are not limited if the setting is 0, and by default in the sandbox', async () => {
    const { request } = setUp(0);
    for (let failed = 0; failed < 9; failed += 1) expect(await request('unknown-api-key')).toBe('unknown-api-key');
    const limitIn = (environment: 'sandbox' | 'production', env: Record<string, string> = {}) =>
      readGatewaySettings(env, environment).failedAuthenticationsPerMinute;
    expect([limitIn('sandbox'), limitIn('production')]).toEqual([0, 60]);
    expect(limitIn('sandbox', { PONTE_FAILED_AUTHENTICATIONS_PER_MINUTE: '7' })).toBe(7);
    expect(() => limitIn('production', { PONTE_FAILED_AUTHENTICATIONS_PER_MINUTE: '-1' })).toThrow();
  });
});
