import 'reflect-metadata';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { ApiKeyRevoked } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventually } from '@ponte/testing';
import { JWT_KEY_ID, jwtKeys } from '../testing/api-keys';
import { PARTNER, STRANGER } from '../testing/accounts';
import { codeOf } from '../testing/use-gateway';
import type { Json } from './testing/edge-requests';
import { ORDERS, QUOTE, QUOTES, errorOf, gateway, send, useTestGateway } from './testing/edge-requests';

useTestGateway();

describe('signed requests', () => {
  let nonces = 0;
  /** The tables of claims are created before the gateway starts. */
  let started = false;
  beforeAll(() => {
    started = true;
  });
  const now = () => Math.floor(Date.now() / 1000) + (started ? gateway.clock.offset : 0) / 1000;
  const hashOf = (body: string) => createHash('sha256').update(body).digest('hex');
  const tokenFor = (claims: Json, signedBy = jwtKeys.privateKey, alg = 'ES256', header: Json = {}) => {
    nonces += 1;
    const all = { sub: JWT_KEY_ID, nonce: `nonce-${nonces}`, iat: now(), exp: now() + 30, ...claims };
    return new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ ...header, alg })
      .sign(signedBy);
  };
  const body = JSON.stringify(QUOTE);
  const right = { uri: QUOTES, method: 'POST', 'body-hash': hashOf(body) };
  const signed = (token: string, url = QUOTES, payload: string | null = body) =>
    send(payload === null ? 'GET' : 'POST', url, payload ?? undefined, {
      authorization: `Bearer ${token}`,
      'x-api-key': JWT_KEY_ID,
    });

  it.each<[string, Json, string]>([
    ['valid claims', {}, '200'],
    ['bodyHash in the other spelling', { 'body-hash': undefined, bodyHash: hashOf(body) }, '200'],
    ['no method', { method: undefined }, '200'],
    ['another body', { 'body-hash': hashOf('{}') }, '401 body-hash-mismatch'],
    ['no body hash', { 'body-hash': undefined }, '401 body-hash-mismatch'],
    ['another hash in the other spelling', { bodyHash: hashOf('{}') }, '401 body-hash-mismatch'],
    ['no iat', { iat: undefined }, '401 token-lifetime-too-long'],
    ['no nonce', { nonce: undefined }, '401 invalid-signature'],
    ['upper-case hash', { 'body-hash': hashOf(body).toUpperCase() }, '401 body-hash-mismatch'],
    ['another uri', { uri: ORDERS }, '401 uri-mismatch'],
    ['another method', { method: 'GET' }, '401 method-mismatch'],
    ['too long a lifetime', { exp: now() + 51, iat: now() }, '401 token-lifetime-too-long'],
    ['expired', { iat: now() - 60, exp: now() - 20 }, '401 token-expired'],
    ['from the future', { iat: now() + 60, exp: now() + 90 }, '401 token-expired'],
    ['another subject', { sub: 'x' }, '401 invalid-signature'],
  ])('%s', async (_, claims, code) => expect(codeOf(await signed(await tokenFor({ ...right, ...claims })))).toBe(code));

  it('are verified with the key of X-API-Key, whatever kid the token has', async () => {
    expect(codeOf(await signed(await tokenFor(right, jwtKeys.privateKey, 'ES256', { kid: 'other' })))).toBe('200');
  });

  it('are refused with another key, another algorithm, `none`, or something that is not a token', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const ofStranger = await signed(await tokenFor(right, stranger));
    expect(codeOf(ofStranger)).toBe('401 invalid-signature');
    expect(ofStranger.body).toContain('check the private key and the algorithm');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(codeOf(await signed(await tokenFor(right, rsa, 'RS256')))).toBe('401 invalid-signature');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part({ ...right, sub: JWT_KEY_ID, nonce: 'none', iat: now(), exp: now() + 30 });
    expect(codeOf(await signed(`${part({ alg: 'none' })}.${claims}.`))).toBe('401 invalid-signature');
    const pem = Buffer.from(jwtKeys.publicKey.export({ type: 'spki', format: 'pem' }));
    const hmac = await new SignJWT({ ...right, sub: JWT_KEY_ID, nonce: 'h', iat: now(), exp: now() + 30 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(pem);
    expect(codeOf(await signed(hmac))).toBe('401 invalid-signature');
    for (const junk of ['a.b.c', 'junk', '..', `${part({ alg: 'ES256' })}.${claims}.AAAA`])
      expect(codeOf(await signed(junk))).toBe('401 invalid-signature');
    expect(
      codeOf(
        await send('POST', QUOTES, body, {
          authorization: `Bearer ${await tokenFor(right)}`,
          'x-api-key': `ak_test_${'a'.repeat(24)}`,
        }),
      ),
    ).toBe('401 invalid-signature');
  });

  it('can use a nonce once, even for 64 concurrent requests, but an invalid request does not use it up', async () => {
    const wrong = await tokenFor({ ...right, nonce: 'mine', 'body-hash': hashOf('{}') });
    expect(codeOf(await signed(wrong))).toBe('401 body-hash-mismatch');
    const token = await tokenFor({ ...right, nonce: 'mine' });
    const codes = (await Promise.all(Array.from({ length: 64 }, () => signed(token))))
      .map((answer) => codeOf(answer))
      .sort();
    expect([codes[0], ...new Set(codes.slice(1))]).toEqual(['200', '401 nonce-reused']);
    expect(codeOf(await signed(await tokenFor({ ...right, nonce: 'mine' })))).toBe('401 nonce-reused');
  });

  it('that read have the query in the uri, and the hash of an empty body or none', async () => {
    const url = `${ORDERS}?limit=1`;
    expect(codeOf(await signed(await tokenFor({ uri: url }), url, null))).toBe('200');
    expect(codeOf(await signed(await tokenFor({ uri: url, 'body-hash': hashOf('') }), url, null))).toBe('200');
    expect(codeOf(await signed(await tokenFor({ uri: ORDERS }), url, null))).toBe('401 uri-mismatch');
    for (const sent of ['/api/v1/accounts/%ff', `/api/v1/accounts/${STRANGER.toUpperCase()}`])
      expect(codeOf(await signed(await tokenFor({ uri: sent }), sent, null))).toBe('403 account-access-denied');
    const early = await signed(await tokenFor({ uri: url, nbf: now() + 60 }), url, null);
    expect([codeOf(early), errorOf(early).message]).toEqual(['401 token-expired', expect.stringContaining('nbf')]);
  });

  it('are refused at once after a revocation', async () => {
    const revoked = gateway.fixtures.keys.get(JWT_KEY_ID);
    if (!revoked) throw new Error('the key of this test is missing');
    gateway.fixtures.keys.set(JWT_KEY_ID, { ...revoked, revoked: true });
    expect(codeOf(await signed(await tokenFor(right)))).toBe('200');
    const event = new ApiKeyRevoked({ keyId: JWT_KEY_ID, accountId: PARTNER, reason: 'rotated' });
    await gateway.engines.store.append(
      `apiKey-${JWT_KEY_ID}`,
      NO_STREAM,
      anEvent(event.data).map((one) => ({ ...one, type: event.type })),
    );
    await eventually(async () => expect(codeOf(await signed(await tokenFor(right)))).toBe('401 revoked-api-key'));
    gateway.fixtures.keys.set(JWT_KEY_ID, revoked);
    gateway.clock.offset = 6_000;
    expect(codeOf(await signed(await tokenFor(right)))).toBe('200');
    gateway.clock.offset = 0;
  });
});
