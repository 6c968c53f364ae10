import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { ApiKeyRecord } from '@ponte/contracts';
import type { EdgeState } from '@ponte/event-sourcing';
import { Call } from '../edge/request-context';
import { Authentication } from './authentication';
import { judgeClaims } from './claims';
import { readCredentials } from './credentials';
import { blockListOf } from '../authorization/ip-allowlist';
import { allowsAddress, ApiKeyCache } from './api-key-cache';
import { AccountReach } from '../authorization/reach';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return (error as { definition: { code: string } }).definition.code;
  }
  return 'none';
};

const BEARER = `sk_test_${'a'.repeat(24)}_${'s'.repeat(43)}`;
const KEY_ID = `ak_test_${'a'.repeat(24)}`;

describe('credentials', () => {
  it.each<[string, Record<string, string | string[] | undefined>, string]>([
    ['nothing', {}, 'missing-credentials'],
    ['a key id alone', { 'x-api-key': KEY_ID }, 'missing-credentials'],
    ['a token without its key id', { authorization: 'Bearer a.b.c' }, 'missing-credentials'],
    ['another scheme', { authorization: 'Basic abc', 'x-api-key': KEY_ID }, 'missing-credentials'],
    ['a staff token', { authorization: 'Staff abc' }, 'missing-credentials'],
    ['an empty key id', { authorization: 'Bearer a.b.c', 'x-api-key': '' }, 'missing-credentials'],
    ['two key ids', { authorization: 'Bearer a.b.c', 'x-api-key': `${KEY_ID}, ${KEY_ID}` }, 'unknown-api-key'],
    [
      'a token longer than any',
      { authorization: `Bearer ${'a'.repeat(5000)}`, 'x-api-key': KEY_ID },
      'missing-credentials',
    ],
    [
      'a key id that cannot be one',
      { authorization: 'Bearer a.b.c', 'x-api-key': 'ak_test_constructor' },
      'unknown-api-key',
    ],
    ['a bearer secret of the wrong form', { authorization: 'Bearer sk_test_short' }, 'unknown-api-key'],
    [
      'a bearer secret beside another key id',
      { authorization: `Bearer ${BEARER}`, 'x-api-key': `ak_test_${'b'.repeat(24)}` },
      'unknown-api-key',
    ],
    ['a production secret', { authorization: `Bearer ${BEARER.replace('test', 'live')}` }, 'missing-credentials'],
    ['a bearer secret', { authorization: `Bearer ${BEARER}` }, 'none'],
    ['a bearer secret with the scheme in another case', { authorization: `bearer ${BEARER}` }, 'none'],
    ['a key id with a token', { authorization: 'Bearer a.b.c', 'x-api-key': KEY_ID }, 'none'],
  ])('%s', (_, headers, code) => expect(codeOf(() => readCredentials(headers))).toBe(code));

  it('finds the key that a bearer secret names', () => {
    expect(readCredentials({ authorization: `Bearer ${BEARER}` })).toEqual({
      kind: 'bearer',
      keyId: KEY_ID,
      secret: BEARER,
    });
  });
});

describe('claims', () => {
  const now = 1_800_000_000;
  const context = { keyId: KEY_ID, uri: '/api/v1/accounts?limit=5', method: 'POST', now };
  const good = { uri: context.uri, nonce: 'n-1', iat: now, exp: now + 50, sub: KEY_ID, 'body-hash': 'ab' };
  const verdict = (changes: Record<string, unknown>) => {
    const judged = judgeClaims({ ...good, ...changes }, context);
    return judged.ok ? 'ok' : judged.code;
  };

  it.each<[string, Record<string, unknown>, string]>([
    ['all of them right', {}, 'ok'],
    ['method said and right', { method: 'POST' }, 'ok'],
    ['method in lower case', { method: 'post' }, 'ok'],
    ['50 s and not more', { exp: now + 51 }, 'token-lifetime-too-long'],
    ['no exp', { exp: undefined }, 'token-lifetime-too-long'],
    ['no iat', { iat: undefined }, 'token-lifetime-too-long'],
    ['times as texts', { exp: String(now + 10) }, 'token-lifetime-too-long'],
    ['exp beyond all numbers', { exp: Infinity }, 'token-lifetime-too-long'],
    ['expired within the skew of 5 s', { iat: now - 50, exp: now - 4 }, 'ok'],
    ['expired', { iat: now - 50, exp: now - 5 }, 'token-expired'],
    ['issued within the skew', { iat: now + 5, exp: now + 40 }, 'ok'],
    ['issued in the future', { iat: now + 6, exp: now + 40 }, 'token-expired'],
    ['exp before iat, both within the skew', { iat: now + 4, exp: now - 3 }, 'token-expired'],
    ['exp at iat', { iat: now, exp: now }, 'token-expired'],
    ['valid from now on, within the skew', { nbf: now + 5 }, 'ok'],
    ['not valid yet', { nbf: now + 6 }, 'token-expired'],
    ['a nbf that is no time', { nbf: String(now) }, 'token-expired'],
    ['an audience, of which nothing is said', { aud: 'https://other.example' }, 'ok'],
    ['another subject', { sub: `ak_test_${'b'.repeat(24)}` }, 'invalid-signature'],
    ['no subject', { sub: undefined }, 'invalid-signature'],
    ['no nonce', { nonce: undefined }, 'invalid-signature'],
    ['an empty nonce', { nonce: '' }, 'invalid-signature'],
    ['a nonce of no end', { nonce: 'n'.repeat(256) }, 'invalid-signature'],
    ['uri without the query', { uri: '/api/v1/accounts' }, 'uri-mismatch'],
    ['no uri', { uri: undefined }, 'uri-mismatch'],
    ['another method', { method: 'GET' }, 'method-mismatch'],
    ['a method that is no text', { method: 1 }, 'method-mismatch'],
  ])('%s', (_, changes, expected) => expect(verdict(changes)).toBe(expected));

  it('reads bodyHash as body-hash', () => {
    expect(judgeClaims({ ...good, 'body-hash': undefined, bodyHash: 'cd' }, context)).toEqual({
      ok: true,
      nonce: 'n-1',
      bodyHash: 'cd',
    });
  });
});

describe('IP allowlists', () => {
  const record = (ipAllowlist: string[]) => ({
    record: {} as ApiKeyRecord,
    secretHash: undefined,
    publicKey: undefined,
    allowed: blockListOf(ipAllowlist),
  });
  it.each([
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['11.1.2.3', false],
    ['192.0.2.7', true],
    ['192.0.2.8', false],
    ['2001:db8::1', true],
    ['2001:db9::1', false],
    ['', false],
    ['garbage', false],
  ])('%s: %p', (address, allowed) =>
    expect(allowsAddress(record(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32']), address)).toBe(allowed),
  );

  it('lets everybody in when it is absent, and refuses a corrupt one', () => {
    expect(allowsAddress({ ...record([]), allowed: null }, '203.0.113.1')).toBe(true);
    for (const bad of ['nowhere', '10.0.0.0/33', '10.0.0.0/x', '::/129'])
      expect(() => blockListOf([bad])).toThrow(TypeError);
  });
});

describe('keys in memory', () => {
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
    const asked: string[] = [];
    const keys = new ApiKeyCache(
      (keyId) => {
        asked.push(keyId);
        return answer(keyId);
      },
      { now: () => clock.ms },
    );
    return { clock, asked, keys };
  }

  it('keeps a key for 5 s and the absence of one for 1 s, and asks once for many who wait', async () => {
    const { clock, asked, keys } = setUp(async (keyId) => (keyId === 'there' ? apiKey(keyId) : null));
    await Promise.all([keys.find('there'), keys.find('there'), keys.find('gone')]);
    expect(asked).toEqual(['there', 'gone']);
    clock.ms = 999;
    await Promise.all([keys.find('there'), keys.find('gone')]);
    expect(asked).toHaveLength(2);
    clock.ms = 1_000;
    await Promise.all([keys.find('there'), keys.find('gone')]);
    clock.ms = 5_000;
    await keys.find('there');
    expect(asked).toEqual(['there', 'gone', 'gone', 'there']);
  });

  it('drops a revoked key at once, also when an older answer is on its way', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    let revoked = false;
    const { asked, keys } = setUp(async (keyId) => {
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
    expect(asked).toHaveLength(2);
  });

  it('does not remember a failure', async () => {
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

describe('a bearer header that proved its key', () => {
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
    const held = { record: { ...record, ...changes } };
    const clock = { ms: 0 };
    const keys = new ApiKeyCache(async () => held.record, { now: () => clock.ms });
    const authentication = new Authentication(keys, {} as EdgeState, { now: () => clock.ms }, true);
    const identify = async (headers: Record<string, string>, ip = '192.0.2.1'): Promise<string> => {
      try {
        return (await authentication.identify({ headers, ip } as unknown as FastifyRequest, new Call('id', 0, null)))
          .keyId;
      } catch (error) {
        return codeOf(() => {
          throw error;
        });
      }
    };
    return { held, clock, keys, identify };
  }

  it('is believed again, and another secret or key id beside it is not', async () => {
    const { identify } = setUp();
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    expect(await identify({ authorization: AUTHORIZATION, 'x-api-key': `ak_test_${'b'.repeat(24)}` })).toBe(
      'unknown-api-key',
    );
    expect(await identify({ authorization: AUTHORIZATION.replace(/s$/, 't') })).toBe('unknown-api-key');
  });

  it('is not believed once its key was revoked: at once when that is heard of, and after 5 s in any case', async () => {
    const reported = setUp();
    const unreported = setUp();
    for (const { held, identify } of [reported, unreported]) {
      expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
      held.record = { ...held.record, revoked: true };
      expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    }
    reported.keys.drop(KEY_ID);
    unreported.clock.ms = 5_000;
    for (const { identify } of [reported, unreported])
      expect(await identify({ authorization: AUTHORIZATION })).toBe('revoked-api-key');
  });

  it('is held to the addresses of its key each time', async () => {
    const { identify } = setUp({ ipAllowlist: ['192.0.2.0/24'] });
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
    expect(await identify({ authorization: AUTHORIZATION }, '198.51.100.1')).toBe('ip-not-allowed');
    expect(await identify({ authorization: AUTHORIZATION })).toBe(KEY_ID);
  });
});

describe('reach, "acts on its own account and on accounts whose parent-id is the caller"', () => {
  const [own, child, foreign] = ['a', 'b', 'c'].map((letter) => `0190f8a0-0000-7000-8000-00000000000${letter}`) as [
    string,
    string,
    string,
  ];
  const parents: Record<string, string | null> = { [own]: null, [child]: own, [foreign]: null };
  const asked: string[] = [];
  const reach = new AccountReach(async (accountId) => {
    asked.push(accountId);
    return accountId in parents ? { parentId: parents[accountId] ?? null } : null;
  });
  const outcome = async (account: string) => {
    try {
      await reach.check(own, account);
      return 'ok';
    } catch (error) {
      return (error as { definition: { code: string } }).definition.code;
    }
  };

  it('is one refusal for foreign, absent and malformed ids', async () => {
    const absent = '0190f8a0-0000-7000-8000-0000000000ff';
    expect(await Promise.all([own, child, foreign, absent, 'x', '', own.toUpperCase()].map(outcome))).toEqual([
      'ok',
      'ok',
      ...Array<string>(5).fill('account-access-denied'),
    ]);
  });

  it('asks once for the parent that may act, and each time where the caller is refused, whether the account exists or not', async () => {
    const before = asked.length;
    const absent = '0190f8a0-0000-7000-8000-0000000000ff';
    for (let round = 0; round < 3; round += 1) for (const account of [child, foreign, absent]) await outcome(account);
    expect(asked.slice(before)).toEqual([foreign, absent, foreign, absent, foreign, absent]);
  });
});
