import { createHash, generateKeyPairSync, webcrypto } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { Ponte, PonteConfigurationError, SigningKey } from './index';
import type { SigningKeyInput } from './index';
import { json, refusal, ScriptedServer } from './testing/scripted-server';

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const PAIRS: Record<string, Pair> = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
};
const pem = ({ privateKey }: Pair): string => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const jwk = ({ privateKey }: Pair): SigningKeyInput => privateKey.export({ format: 'jwk' }) as SigningKeyInput;
const REQUEST = {
  keyId: 'ak_test_1',
  method: 'POST',
  uri: '/api/v1/accounts/a/quotes?x=1',
  body: new TextEncoder().encode('{"a":1}'),
};

describe.each(Object.entries(PAIRS))('a signing key for %s', (alg, pair) => {
  it.each([
    ['PEM', pem(pair)],
    ['a JWK', jwk(pair)],
  ])('signs a token with the claims that the API checks, from %s', async (_, input) => {
    const token = await new SigningKey(input).token(REQUEST);
    const { payload } = await jwtVerify(token, pair.publicKey, { algorithms: [alg] });
    expect(decodeProtectedHeader(token)).toEqual({ alg, typ: 'JWT' });
    expect(payload).toMatchObject({
      sub: 'ak_test_1',
      uri: REQUEST.uri,
      method: 'POST',
      nonce: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'body-hash': createHash('sha256').update('{"a":1}').digest('hex'),
    });
    const lifetime = (payload.exp ?? 0) - (payload.iat ?? 0);
    expect([lifetime > 0, lifetime <= 50]).toEqual([true, true]);
  });

  it('adds no hash if the request has no body', async () => {
    const { payload } = await jwtVerify(
      await new SigningKey(pem(pair)).token({ ...REQUEST, body: null }),
      pair.publicKey,
    );
    expect(payload).not.toHaveProperty('body-hash');
  });
});

describe('a signing key', () => {
  it('may be a CryptoKey that cannot be exported', async () => {
    const { privateKey, publicKey } = await webcrypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['sign', 'verify'],
    );
    await jwtVerify(await new SigningKey(privateKey).token(REQUEST), publicKey, { algorithms: ['ES256'] });
  });

  it('reports which keys are accepted and how to convert an old format', async () => {
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const sec1 = PAIRS['ES256']?.privateKey.export({ type: 'sec1', format: 'pem' }).toString() ?? '';
    const hmac = await webcrypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const rsa1024 = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const others = [p384, rsa1024].flatMap((key) => [
      key.export({ format: 'jwk' }),
      key as unknown,
    ]) as SigningKeyInput[];
    const rsaPem = rsa1024.export({ type: 'pkcs8', format: 'pem' }).toString();
    const publicJwk = PAIRS['EdDSA']?.publicKey.export({ format: 'jwk' }) as SigningKeyInput;
    const p384Pem = p384.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const input of ['no key', p384Pem, rsaPem, hmac, publicJwk, ...others]) {
      const signing = new SigningKey(input).token(REQUEST);
      await expect(signing).rejects.toBeInstanceOf(PonteConfigurationError);
      await expect(signing).rejects.toThrow('P-256');
    }
    await expect(new SigningKey(sec1).token(REQUEST)).rejects.toThrow('openssl pkcs8 -topk8');
  });

  it('signs every attempt again, because a nonce can be used only once', async () => {
    const server = await new ScriptedServer().start();
    try {
      server.behave(refusal(503, 'service-unavailable'), json({ id: 'q' }));
      const ponte = new Ponte({ baseUrl: server.baseUrl, keyId: 'ak_test_1', privateKey: pem(PAIRS['EdDSA'] as Pair) });
      await ponte.createQuote('a', {
        'source-asset': 'fiat/brl',
        'target-asset': 'eth-base/brlv',
        'source-amount': '1.00',
      });
      const tokens = server.arrived.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '');
      const nonces = await Promise.all(
        tokens.map(async (token) => (await jwtVerify(token, PAIRS['EdDSA']?.publicKey as KeyObject)).payload['nonce']),
      );
      expect(new Set(nonces).size).toBe(2);
      expect(server.arrived.map(({ headers }) => headers['x-api-key'])).toEqual(['ak_test_1', 'ak_test_1']);
    } finally {
      await server.stop();
    }
  });
});
