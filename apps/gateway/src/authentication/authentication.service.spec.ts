import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyRecord } from '@ponte/contracts';
import type { EdgeState } from '@ponte/event-sourcing';
import { Call } from '../edge/request-context.service';
import type { Services } from '../edge/request-context.service';
import { Authentication, ApiKeyCache } from './authentication.service';
import { BEARER, KEY_ID, codeOf } from './credentials.testing';

describe('a verified bearer header', () => {
  const AUTHORIZATION = `Bearer ${BEARER}`;
  const record: ApiKeyRecord = {
    keyId: KEY_ID,
    accountId: 'a',
    name: 'n',
    access: 'read-only',
    credential: { kind: 'bearer', secretHash: hash('sha256', BEARER, 'hex') },
    ipAllowlist: [],
    rateLimits: null,
    revoked: false,
  };
  function setUp(changes: Partial<ApiKeyRecord> = {}) {
    const cached = { record: { ...record, ...changes } };
    const clock = { ms: 0 };
    const keys = new ApiKeyCache(
      { lookUp: (async () => cached.record) as Services['lookUp'] },
      { now: () => clock.ms },
    );
    const authentication = new Authentication(
      keys,
      {} as EdgeState,
      { now: () => clock.ms },
      { environment: 'sandbox' },
    );
    const identify = async (headers: Record<string, string>, ip = '192.0.2.1'): Promise<string> => {
      try {
        const request = { headers, ip } as unknown as FastifyRequest;
        return (authentication.remembered(request) ?? (await authentication.identify(request, new Call('id', 0, null))))
          .keyId;
      } catch (error) {
        return codeOf(() => {
          throw error;
        });
      }
    };
    return { cached, clock, keys, identify };
  }

  it('is accepted again, but not with another secret or key id', async () => {
    const { identify } = setUp();
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    expect(await identify({ authorization: AUTHORIZATION, 'x-api-key': `ak_test_${'b'.repeat(24)}` })).toBe(
      'unknown-api-key',
    );
    expect(await identify({ authorization: AUTHORIZATION.replace(/s$/, 't') })).toBe('unknown-api-key');
  });

  it('is refused after its key was revoked: at once if this is reported, and after 5 s in any case', async () => {
    const reported = setUp();
    const unreported = setUp();
    for (const { cached, identify } of [reported, unreported]) {
      expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
      cached.record = { ...cached.record, revoked: true };
      expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    }
    reported.keys.drop(KEY_ID);
    unreported.clock.ms = 5_000;
    for (const { identify } of [reported, unreported])
      expect(await identify({ authorization: AUTHORIZATION })).toBe('revoked-api-key');
  });

  it('is checked against the IP allowlist of its key each time', async () => {
    const { identify } = setUp({ ipAllowlist: ['192.0.2.0/24'] });
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    expect(await identify({ authorization: AUTHORIZATION }, '198.51.100.1')).toBe('ip-not-allowed');
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
  });
});

describe('the API key cache', () => {
  const apiKey = (keyId: string): ApiKeyRecord => ({
    keyId,
    accountId: 'a',
    name: 'n',
    access: 'read-only',
    credential: { kind: 'bearer', secretHash: 'aa' },
    ipAllowlist: [],
    rateLimits: null,
    revoked: false,
  });
  function setUp(answer: (keyId: string) => Promise<ApiKeyRecord | null>) {
    const clock = { ms: 0 };
    const lookedUp: string[] = [];
    const keys = new ApiKeyCache(
      {
        lookUp: ((_definition, { keyId }: { keyId: string }) => {
          lookedUp.push(keyId);
          return answer(keyId);
        }) as Services['lookUp'],
      },
      { now: () => clock.ms },
    );
    return { clock, lookups: lookedUp, keys };
  }

  it('keeps a key for 5 s and its absence for 1 s, and makes one look-up for concurrent requests', async () => {
    const { clock, lookups, keys } = setUp(async (keyId) => (keyId === 'there' ? apiKey(keyId) : null));
    await Promise.all([keys.find('there'), keys.find('there'), keys.find('gone')]);
    expect(lookups).toEqual(['there', 'gone']);
    clock.ms = 999;
    await Promise.all([keys.find('there'), keys.find('gone')]);
    expect(lookups).toHaveLength(2);
    clock.ms = 1_000;
    await Promise.all([keys.find('there'), keys.find('gone')]);
    clock.ms = 5_000;
    await keys.find('there');
    expect(lookups).toEqual(['there', 'gone', 'gone', 'there']);
  });

  it('drops a revoked key at once, even if an older look-up is still in progress', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    let revoked = false;
    const { lookups, keys } = setUp(async (keyId) => {
      const seen = { ...apiKey(keyId), revoked };
      if (!revoked)
        await new Promise<void>((resolve) => {
          gate.open = resolve;
        });
      return seen;
    });
    const early = keys.find('k');
    revoked = true;
    keys.drop('k');
    gate.open();
    await early;
    expect((await keys.find('k'))?.record.revoked).toBe(true);
    expect(lookups).toHaveLength(2);
  });

  it('looks up at most 256 unknown ids at once, which anyone can invent, but every key that it knows', async () => {
    const waiting: (() => void)[] = [];
    let holds = false;
    const { clock, lookups, keys } = setUp(async (keyId) => {
      if (holds)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      return keyId === 'there' ? apiKey(keyId) : null;
    });
    await keys.find('there');
    clock.ms = 5_000;
    holds = true;
    const invented = Array.from({ length: 256 }, async (_, at) => keys.find(`invented-${at}`));
    await expect(keys.find('one-more')).rejects.toMatchObject({ definition: { code: 'service-unavailable' } });
    const known = keys.find('there');
    expect(lookups).toHaveLength(1 + 256 + 1);
    for (const answer of waiting) answer();
    expect((await known)?.record.keyId).toBe('there');
    expect(await Promise.all(invented)).toEqual(Array.from({ length: 256 }, () => null));
    holds = false;
    expect(await keys.find('one-more')).toBeNull();
  });

  it('does not store a failed look-up', async () => {
    let failing = true;
    const { keys } = setUp(async (keyId) => {
      if (failing) throw new Error('away');
      return apiKey(keyId);
    });
    await expect(keys.find('k')).rejects.toThrow('away');
    failing = false;
    expect((await keys.find('k'))?.record.keyId).toBe('k');
  });
});
