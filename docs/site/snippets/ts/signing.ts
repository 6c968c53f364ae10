// #region code
import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { PONTE_BASE_URL: baseUrl = '', PONTE_ACCOUNT_ID: accountId = '', PONTE_KEY_ID: keyId = '' } = process.env;
const key = createPrivateKey(readFileSync(process.env.PONTE_KEY_FILE ?? '', 'utf8'));
const [algorithm, digest] =
  key.asymmetricKeyType === 'rsa'
    ? ['RS256', 'sha256']
    : key.asymmetricKeyType === 'ec'
      ? ['ES256', 'sha256']
      : ['EdDSA', null];

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function token(method: string, uri: string, body?: string): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    uri, // the path and the query, exactly as they are sent
    method,
    nonce: randomUUID(), // a new one for each request
    iat: now,
    exp: now + 50,
    sub: keyId,
    ...(body === undefined ? {} : { 'body-hash': createHash('sha256').update(body).digest('hex') }),
  };
  const signed = `${base64url({ alg: algorithm, typ: 'JWT' })}.${base64url(claims)}`;
  // JWT concatenates the two numbers of an ES256 signature instead of encoding them as DER.
  const signature = sign(digest, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const path = `/api/v1/accounts/${accountId}/quotes`;
const body = JSON.stringify({ 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' });
const response = await fetch(baseUrl + path, {
  method: 'POST',
  headers: {
    'X-API-Key': keyId,
    Authorization: `Bearer ${token('POST', path, body)}`,
    'Content-Type': 'application/json',
  },
  body,
});
console.log(response.status, await response.text());
// #endregion code
if (!response.ok) process.exitCode = 1;
