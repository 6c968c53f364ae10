import { createHash, createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { usage } from '../failures';

/** The request that a token is compared with. Absent fields are not compared. */
interface TokenContext {
  readonly publicKey: string;
  readonly method?: string;
  readonly uri?: string;
  readonly keyId?: string;
  readonly body?: Buffer | undefined;
  /** The time in epoch milliseconds; the machine's time by default. */
  readonly now?: number;
}

export interface TokenCheck {
  readonly part: string;
  readonly ok: boolean;
  /** The error code of the API for this part. */
  readonly code: string;
  readonly finding: string;
}

const MAX_LIFETIME = 50;
const SKEW = 5;
const MAX_NONCE = 255;
const MS_PER_SECOND = 1_000;
const ALGORITHM_OF: Readonly<Record<string, string>> = { rsa: 'RS256', ec: 'ES256', ed25519: 'EdDSA' };

type Claims = Readonly<Record<string, unknown>>;

/** Checks the parts of a token that the API checks, in reading order. */
export function checkToken(token: string, context: TokenContext): TokenCheck[] {
  const [head = '', payload = '', signature = '', ...more] = token
    .trim()
    .replace(/^Bearer /i, '')
    .split('.');
  const [header, claims] = [decoded(head), decoded(payload)];
  if (!header || !claims || signature === '' || more.length > 0) {
    return [
      {
        part: 'form',
        ok: false,
        code: 'invalid-signature',
        finding: 'It is not three parts of base64url with JSON in the first two.',
      },
    ];
  }
  const key = keyOf(context.publicKey);
  return [
    algorithm(header, key),
    signatureCheck(key, `${head}.${payload}`, signature),
    ...times(claims, (context.now ?? Date.now()) / MS_PER_SECOND),
    check(
      'nonce',
      typeof claims['nonce'] === 'string' && claims['nonce'] !== '' && claims['nonce'].length <= MAX_NONCE,
      'invalid-signature',
      'it has a nonce',
      `nonce must be a text of 1 to ${MAX_NONCE} characters: use a new random text for each request`,
    ),
    compared('sub', claims['sub'], context.keyId, 'invalid-signature'),
    compared('uri', claims['uri'], context.uri, 'uri-mismatch'),
    ...(claims['method'] === undefined
      ? []
      : [compared('method', upper(claims['method']), context.method, 'method-mismatch')]),
    ...bodyHash(claims, context.body),
  ];
}

const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);

const check = (part: string, ok: boolean, code: string, right: string, wrong: string): TokenCheck => ({
  part,
  ok,
  code,
  finding: ok ? right : wrong,
});

function algorithm({ alg }: Claims, key: KeyObject): TokenCheck {
  const expected = ALGORITHM_OF[key.asymmetricKeyType ?? ''] ?? 'none of RS256, ES256 and EdDSA';
  return check(
    'algorithm',
    alg === expected,
    'invalid-signature',
    `${expected}, the algorithm of the key`,
    `alg is ${String(alg)}, but the key signs with ${expected}`,
  );
}

function signatureCheck(key: KeyObject, content: string, signature: string): TokenCheck {
  const bytes = Buffer.from(signature, 'base64url');
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const ok = verify(digest, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  return check(
    'signature',
    ok,
    'invalid-signature',
    'it matches the public key',
    'it does not match the public key, or the header or claims were changed',
  );
}

/** The same rules and codes as the API's; a code is given for each part, where the API reports the first only. */
function times({ iat, exp, nbf }: Claims, now: number): TokenCheck[] {
  if (typeof iat !== 'number' || typeof exp !== 'number')
    return [check('times', false, 'token-lifetime-too-long', '', 'iat and exp must be seconds since 1970, as numbers')];
  const lifetime = exp - iat;
  const starts = nbf === undefined ? [] : [notBefore(nbf, now)];
  return [
    check(
      'lifetime',
      lifetime > 0 && lifetime <= MAX_LIFETIME,
      lifetime > MAX_LIFETIME ? 'token-lifetime-too-long' : 'token-expired',
      `${lifetime} s`,
      `${lifetime} s: exp must be 1 to ${MAX_LIFETIME} s after iat`,
    ),
    check(
      'exp',
      exp + SKEW > now,
      'token-expired',
      `valid for ${Math.round(exp - now)} s more`,
      `expired ${Math.round(now - exp)} s ago`,
    ),
    check(
      'iat',
      iat - SKEW <= now,
      'token-expired',
      'it is not in the future',
      `begins in ${Math.round(iat - now)} s: check the clock`,
    ),
    ...starts,
  ];
}

const notBefore = (nbf: unknown, now: number): TokenCheck =>
  check(
    'nbf',
    typeof nbf === 'number' && nbf - SKEW <= now,
    'token-expired',
    'it is not in the future',
    typeof nbf === 'number'
      ? `valid in ${Math.round(nbf - now)} s: check the clock`
      : 'nbf must be a number of seconds',
  );

function compared(part: string, actual: unknown, expected: string | undefined, code: string): TokenCheck {
  if (expected === undefined)
    return check(
      part,
      typeof actual === 'string' && actual !== '',
      code,
      `${String(actual)} (not compared)`,
      `${part} is missing`,
    );
  return check(
    part,
    actual === expected,
    code,
    String(actual),
    `it is ${JSON.stringify(actual)}, but the request has ${JSON.stringify(expected)}`,
  );
}

function bodyHash(claims: Claims, body: Buffer | undefined): TokenCheck[] {
  const claimed = claims['body-hash'] ?? claims['bodyHash'];
  if (body === undefined)
    return claimed === undefined
      ? []
      : [check('body-hash', true, 'body-hash-mismatch', `${String(claimed)} (not compared)`, '')];
  const actual = createHash('sha256').update(body).digest('hex');
  return [
    check(
      'body-hash',
      claimed === actual,
      'body-hash-mismatch',
      'it is the hash of the body',
      `it is ${JSON.stringify(claimed)}, but the body has ${actual}`,
    ),
  ];
}

function decoded(part: string): Claims | null {
  try {
    const value = JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as unknown;
    return typeof value === 'object' && value !== null ? (value as Claims) : null;
  } catch {
    return null;
  }
}

function keyOf(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw usage('The public key cannot be read.', 'Pass a PEM file with -----BEGIN PUBLIC KEY-----.');
  }
}
