import { hash } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import type { ApiKeyAlgorithm, SignatureCheck } from '@ponte/contracts';
import { bodyHashOf, checkClaims, hasTwoHashes } from '../../authentication/claims';
import type { VerifyingKey } from '../../authentication/signed-token';

/** A signed request as the client claims to have sent it. */
interface SignedRequestParts {
  readonly token: string;
  readonly keyId: string;
  readonly method: string;
  readonly uri: string;
  readonly body: string;
}

/** What the sandbox knows of the key. `missing`: the account has no such key in the sandbox. */
export type KeyOfCheck =
  { readonly kind: 'missing' | 'bearer' | 'revoked' } | { readonly kind: 'signing'; readonly key: VerifyingKey };

const ALGORITHMS: readonly string[] = ['RS256', 'ES256', 'EdDSA'] satisfies ApiKeyAlgorithm[];
const HMAC = /^HS\d+$/;

const correct = (part: string, message: string): SignatureCheck => ({ part, result: 'correct', message });
const wrong = (part: string, message: string): SignatureCheck => ({ part, result: 'wrong', message });
const skipped = (part: string): SignatureCheck => ({
  part,
  result: 'skipped',
  message: 'not checked because of the errors above',
});

/**
 * Checks each part of a signed request: header, algorithm, key, signature, subject, nonce, expiry, path, method and
 * body hash. The nonce is not used up. `now` is in epoch seconds. No message repeats anything that was sent.
 */
export async function jwtChecks(parts: SignedRequestParts, known: KeyOfCheck, now: number): Promise<SignatureCheck[]> {
  const header = headerOf(parts.token);
  const claims = claimsOf(parts.token);
  return [
    headerCheck(parts.token, header, claims),
    algorithmCheck(header, known),
    keyCheck(known),
    await signatureCheck(parts.token, header, known),
    ...(claims
      ? claimChecks(parts, claims, now)
      : ['subject', 'nonce', 'expiry', 'path', 'method', 'body-hash'].map(skipped)),
  ];
}

type Claims = Readonly<Record<string, unknown>>;

function headerCheck(token: string, header: Claims | undefined, claims: Claims | undefined): SignatureCheck {
  const part = 'header';
  if (/^bearer /i.test(token)) return wrong(part, 'send the token without the word Bearer');
  if (token.split('.').length !== 3) return wrong(part, 'a token must have three base64url parts, separated by dots');
  if (!header) return wrong(part, 'the first part must be a base64url-encoded JSON object');
  if (!claims) return wrong(part, 'the second part must be a base64url-encoded JSON object');
  return correct(part, 'the token has a header, claims and a signature');
}

function algorithmCheck(header: Claims | undefined, known: KeyOfCheck): SignatureCheck {
  const part = 'algorithm';
  const sent = header?.['alg'];
  if (!header) return skipped(part);
  if (typeof sent !== 'string') return wrong(part, 'the header has no alg');
  if (sent === 'none') return wrong(part, 'the token is not signed: alg must be an accepted algorithm');
  if (HMAC.test(sent))
    return wrong(part, 'alg is an HMAC algorithm: sign with your private key, because Ponte has only the public key');
  if (!ALGORITHMS.includes(sent)) return wrong(part, `alg must be one of ${ALGORITHMS.join(', ')}`);
  if (known.kind === 'signing' && sent !== known.key.algorithm)
    return wrong(part, `the key was registered for ${known.key.algorithm}`);
  return correct(part, 'alg is accepted');
}

/** The key is that of `X-API-Key`, whatever the header of the token says. */
function keyCheck(known: KeyOfCheck): SignatureCheck {
  const part = 'key';
  if (known.kind === 'missing') return wrong(part, 'your account has no such key in the sandbox');
  if (known.kind === 'bearer') return wrong(part, 'the key has no public key: send its secret as a bearer token');
  if (known.kind === 'revoked') return wrong(part, 'the key was revoked');
  return correct(part, 'the key is known');
}

async function signatureCheck(token: string, header: Claims | undefined, known: KeyOfCheck): Promise<SignatureCheck> {
  const part = 'signature';
  if (known.kind !== 'signing' || !header) return skipped(part);
  const { key, algorithm } = known.key;
  if (header['alg'] !== algorithm) return skipped(part);
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
    return correct(part, 'the signature matches the header and the claims');
  } catch {
    const der = algorithm === 'ES256' && /^MEQ|^MEU|^MEY/.test(token.split('.')[2] ?? '');
    return wrong(
      part,
      der
        ? 'the signature is DER-encoded; it must be r and s of 32 bytes each'
        : 'the signature does not match: another private key was used, or the token was changed after signing',
    );
  }
}

function claimChecks(parts: SignedRequestParts, claims: Claims, now: number): SignatureCheck[] {
  const { keyId, uri, method } = parts;
  const { nonce, sub } = claims;
  return [
    sub === keyId ? correct('subject', 'sub is the X-API-Key') : wrong('subject', 'sub must be the X-API-Key'),
    typeof nonce === 'string' && nonce.length >= 1 && nonce.length <= 255
      ? correct('nonce', 'nonce is present; each request needs a new one')
      : wrong('nonce', 'nonce must be a string of 1 to 255 characters'),
    expiryCheck(claims, now),
    claims['uri'] === uri
      ? correct('path', 'uri is the path and query of the request')
      : wrong('path', pathMessage(claims['uri'], uri)),
    claims['method'] === undefined || String(claims['method']).toUpperCase() === method
      ? correct('method', 'method matches the request or is left out')
      : wrong('method', 'method does not match the request'),
    bodyCheck(claims, parts.body),
  ];
}

/** Applies the rule of real requests to a copy of the claims in which everything else is valid. */
function expiryCheck(claims: Claims, now: number): SignatureCheck {
  const part = 'expiry';
  const ideal = { exp: claims['exp'], iat: claims['iat'], nbf: claims['nbf'], sub: '', nonce: 'n', uri: '' };
  const result = checkClaims(ideal, { keyId: '', uri: '', method: '', now });
  if (result.ok) return correct(part, 'iat and exp are at most 50 s apart, and the current time is between them');
  if (result.message !== undefined) return wrong(part, result.message);
  return result.code === 'token-expired'
    ? wrong(part, 'exp has passed')
    : wrong(part, 'iat and exp must be at most 50 s apart');
}

function pathMessage(claimed: unknown, uri: string): string {
  if (typeof claimed !== 'string') return 'the claim uri is missing';
  if (/^https?:/.test(claimed)) return 'uri must be only the path and query, without scheme and host';
  const plain = (text: string): string => text.split('?')[0]?.replace(/\/$/, '') ?? '';
  if (plain(claimed) !== plain(uri)) return 'uri is not the path of the request';
  return claimed.split('?')[0] === uri.split('?')[0]
    ? 'uri must have the query of the request with the same parameters, order and escaping'
    : 'uri differs from the path by a trailing slash';
}

function bodyCheck(claims: Claims, body: string): SignatureCheck {
  const part = 'body-hash';
  if (hasTwoHashes(claims)) return wrong(part, 'body-hash and bodyHash differ: send only body-hash');
  const sent = bodyHashOf(claims);
  if (sent === undefined || sent === null) {
    return body === ''
      ? correct(part, 'the request has no body, so no body-hash is needed')
      : wrong(part, 'the request has a body, so body-hash is required');
  }
  const expected = hash('sha256', body, 'hex');
  if (sent === expected) return correct(part, 'body-hash is the SHA-256 of the body');
  if (typeof sent !== 'string') return wrong(part, 'body-hash must be a string');
  if (sent.toLowerCase() === expected) return wrong(part, 'body-hash must be in lower case');
  if (sent === hash('sha256', body, 'base64') || sent === hash('sha256', body, 'base64url'))
    return wrong(part, 'body-hash must be hexadecimal, not base64');
  return wrong(part, 'body-hash is not the SHA-256 of this body: hash the exact bytes that are sent');
}

function headerOf(token: string): Claims | undefined {
  try {
    return decodeProtectedHeader(token) as Claims;
  } catch {
    return undefined;
  }
}

function claimsOf(token: string): Claims | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? (claims as Claims) : undefined;
  } catch {
    return undefined;
  }
}
