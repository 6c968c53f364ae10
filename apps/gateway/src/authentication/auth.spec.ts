import type { ApiKeyRecord } from '@ponte/contracts';
import { checkClaims } from './claims';
import { readCredentials } from './credentials';
import { blockListOf } from '../authorization/ip-allowlist';
import { allowsAddress } from '../authorization/ip-allowlist';
import { BEARER, KEY_ID, codeOf } from './credentials.testing';

it('a sandbox key with the id of another key is refused with a message that names X-API-Key', () => {
  const headers = { authorization: `Bearer ${BEARER}`, 'x-api-key': `ak_test_${'b'.repeat(24)}` };
  expect(() => readCredentials(headers)).toThrow('Send a sandbox key without X-API-Key.');
});

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
    ['a production secret', { authorization: `Bearer ${BEARER.replace('test', 'live')}` }, 'unknown-api-key'],
    ['an abbreviated bearer secret', { authorization: 'Bearer sk_test_\u2026' }, 'unknown-api-key'],
    ['a bearer secret longer than any', { authorization: `Bearer ${BEARER.repeat(100)}` }, 'unknown-api-key'],
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
  const result = (changes: Record<string, unknown>) => {
    const result = checkClaims({ ...good, ...changes }, context);
    return result.ok ? 'ok' : result.code;
  };

  it.each<[string, Record<string, unknown>, string]>([
    ['all claims right', {}, 'ok'],
    ['the right method', { method: 'POST' }, 'ok'],
    ['method in lower case', { method: 'post' }, 'ok'],
    ['50 s and not more', { exp: now + 51 }, 'token-lifetime-too-long'],
    ['no exp', { exp: undefined }, 'token-lifetime-too-long'],
    ['no iat', { iat: undefined }, 'token-lifetime-too-long'],
    ['times as texts', { exp: String(now + 10) }, 'token-lifetime-too-long'],
    ['an infinite exp', { exp: Infinity }, 'token-lifetime-too-long'],
    ['expired within the skew of 5 s', { iat: now - 50, exp: now - 4 }, 'ok'],
    ['expired', { iat: now - 50, exp: now - 5 }, 'token-expired'],
    ['issued within the skew', { iat: now + 5, exp: now + 40 }, 'ok'],
    ['issued in the future', { iat: now + 6, exp: now + 40 }, 'token-expired'],
    ['exp before iat, both within the skew', { iat: now + 4, exp: now - 3 }, 'token-expired'],
    ['exp at iat', { iat: now, exp: now }, 'token-expired'],
    ['valid from now on, within the skew', { nbf: now + 5 }, 'ok'],
    ['not valid yet', { nbf: now + 6 }, 'token-expired'],
    ['a nbf that is not a time', { nbf: String(now) }, 'token-expired'],
    ['an audience, which is not checked', { aud: 'https://other.example' }, 'ok'],
    ['another subject', { sub: `ak_test_${'b'.repeat(24)}` }, 'invalid-signature'],
    ['no subject', { sub: undefined }, 'invalid-signature'],
    ['no nonce', { nonce: undefined }, 'invalid-signature'],
    ['an empty nonce', { nonce: '' }, 'invalid-signature'],
    ['a nonce that is too long', { nonce: 'n'.repeat(256) }, 'invalid-signature'],
    ['uri without the query', { uri: '/api/v1/accounts' }, 'uri-mismatch'],
    ['no uri', { uri: undefined }, 'uri-mismatch'],
    ['another method', { method: 'GET' }, 'method-mismatch'],
    ['a method that is not a string', { method: 1 }, 'method-mismatch'],
    ['both spellings of the body hash', { bodyHash: 'ab' }, 'ok'],
    ['null in one spelling of the body hash', { 'body-hash': null, bodyHash: 'cd' }, 'ok'],
    ['contradictory spellings of the body hash', { bodyHash: 'cd' }, 'body-hash-mismatch'],
  ])('%s', (_, changes, expected) => expect(result(changes)).toBe(expected));

  it.each<[object, string]>([
    [{ sub: undefined }, 'The sub claim must be the id of the API key, as in X-API-Key.'],
    [{ nonce: 7 }, 'The nonce claim must be a string of 1 to 255 characters, a new one for each attempt.'],
    [
      { iat: now - 50, exp: now - 5 },
      'The token has expired; sign each attempt again, and check the clock of the client.',
    ],
  ])('names the claim that is wrong in %j', (changes, message) =>
    expect(checkClaims({ ...good, ...changes }, context)).toMatchObject({ ok: false, message }),
  );

  it.each([[['ab']], [7], [{ sha: 'ab' }]])('accepts a body hash only as a string, not %j', (hash) => {
    const message = expect.stringContaining('must be a string') as string;
    for (const claim of ['body-hash', 'bodyHash'])
      expect(checkClaims({ ...good, 'body-hash': undefined, [claim]: hash }, context)).toMatchObject({
        ok: false,
        code: 'body-hash-mismatch',
        message,
      });
  });

  it('reads bodyHash as body-hash', () => {
    expect(checkClaims({ ...good, 'body-hash': undefined, bodyHash: 'cd' }, context)).toEqual({
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

  it('allow every address if absent, and throw if corrupt', () => {
    expect(allowsAddress({ ...record([]), allowed: null }, '203.0.113.1')).toBe(true);
    for (const bad of ['nowhere', '10.0.0.0/33', '10.0.0.0/x', '::/129'])
      expect(() => blockListOf([bad])).toThrow(TypeError);
  });
});
