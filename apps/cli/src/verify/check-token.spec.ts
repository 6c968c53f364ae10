import { generateKeyPairSync, sign } from 'node:crypto';
import { checkToken } from './check-token';

const NOW_S = 1_800_000_000;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(claims: object): string {
  const valid = { sub: 'ak_test_1', uri: '/x', nonce: 'n', iat: NOW_S, exp: NOW_S + 30 };
  const content = `${encoded({ alg: 'ES256' })}.${encoded({ ...valid, ...claims })}`;
  const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

describe('checkToken', () => {
  const wrong = (claims: object) =>
    checkToken(token(claims), {
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      ...{ keyId: 'ak_test_1', uri: '/x', method: 'POST', now: NOW_S * 1_000 },
    })
      .filter(({ ok }) => !ok)
      .map(({ part, code }) => `${part} ${code}`);

  it.each([
    ['a valid token', {}],
    ['a token that ended within the allowed clock skew', { iat: NOW_S - 30, exp: NOW_S - 4 }],
    ['a token that starts within the allowed clock skew', { iat: NOW_S + 5, exp: NOW_S + 30, nbf: NOW_S + 5 }],
    ['a method in lower case', { method: 'post' }],
    ['the longest nonce', { nonce: 'n'.repeat(255) }],
  ])('accepts %s, as the API does', (_, claims) => expect(wrong(claims)).toEqual([]));

  it.each([
    ['another key', { sub: 'ak_test_2' }, ['sub invalid-signature']],
    ['a nonce that is too long', { nonce: 'n'.repeat(256) }, ['nonce invalid-signature']],
    ['no end', { exp: undefined }, ['times token-lifetime-too-long']],
    ['a lifetime of 51 s', { exp: NOW_S + 51 }, ['lifetime token-lifetime-too-long']],
    ['an end before its start', { iat: NOW_S + 3, exp: NOW_S + 2 }, ['lifetime token-expired']],
    ['an end that is exactly the clock skew ago', { iat: NOW_S - 30, exp: NOW_S - 5 }, ['exp token-expired']],
    ['a start in the future', { iat: NOW_S + 6 }, ['iat token-expired']],
    ['a not-before time in the future', { nbf: NOW_S + 6 }, ['nbf token-expired']],
    ['a not-before time that is a text', { nbf: 'now' }, ['nbf token-expired']],
    ['another method', { method: 'GET' }, ['method method-mismatch']],
  ])('rejects %s with the code of the API', (_, claims, parts) => expect(wrong(claims)).toEqual(parts));
});
