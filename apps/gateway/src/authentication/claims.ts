/** The message of a refusal whose cause is not a claim. */
export const WRONG_SIGNATURE =
  "The token's signature does not match the API key: check the private key and the algorithm.";
/** What is wrong with the claim about the body, for the message of a refusal. */
export const NO_BODY_HASH =
  'The request has a body, so its token needs the claim body-hash: the lower-case hex SHA-256 of the body.';
export const UNREAD_BODY = 'This operation does not accept a body; send the request without one.';

/** The values that the claims of a token are checked against. */
interface ClaimsContext {
  readonly keyId: string;
  /** The path with the query string, as sent. */
  readonly uri: string;
  readonly method: string;
  /** System time in epoch seconds. */
  readonly now: number;
}

type ClaimsResult =
  | { readonly ok: true; readonly nonce: string; readonly bodyHash: string | undefined }
  | { readonly ok: false; readonly code: ClaimsViolation; readonly message?: string };

type ClaimsViolation =
  | 'invalid-signature'
  | 'token-expired'
  | 'token-lifetime-too-long'
  | 'uri-mismatch'
  | 'method-mismatch'
  | 'body-hash-mismatch';

/** The longest allowed time from `iat` to `exp`, in seconds. */
const MAX_LIFETIME_S = 50;
/** How far the partner's clock may deviate, in seconds. */
const CLOCK_SKEW_S = 5;
const MAX_NONCE = 255;

/**
 * Checks the claims of a token whose signature was verified. The body hash and the nonce are checked later, when the
 * body has been read. A token without `exp` or `iat` would never expire, so its lifetime counts as too long. `aud` is
 * not checked: this API has no name for partners to put there, and `sub` and `uri` bind a token to one request to us.
 */
export function checkClaims(
  claims: Readonly<Record<string, unknown>>,
  { keyId, uri, method, now }: ClaimsContext,
): ClaimsResult {
  const { exp, iat, nbf, sub, nonce } = claims;
  if (sub !== keyId) return violation('invalid-signature', WRONG_SUBJECT);
  if (typeof nonce !== 'string' || nonce.length < 1 || nonce.length > MAX_NONCE)
    return violation('invalid-signature', WRONG_NONCE);
  if (!isTime(exp) || !isTime(iat)) return violation('token-lifetime-too-long', NO_TIMES);
  if (exp - iat > MAX_LIFETIME_S) return violation('token-lifetime-too-long');
  if (iat > now + CLOCK_SKEW_S) return violation('token-expired', FROM_THE_FUTURE);
  if (exp <= iat) return violation('token-expired', ENDS_BEFORE_IT_BEGINS);
  if (nbf !== undefined && !(isTime(nbf) && nbf <= now + CLOCK_SKEW_S)) return violation('token-expired', NOT_YET);
  if (exp <= now - CLOCK_SKEW_S) return violation('token-expired', EXPIRED);
  if (claims['uri'] !== uri) return violation('uri-mismatch');
  if (claims['method'] !== undefined && !sameMethod(claims['method'], method)) return violation('method-mismatch');
  if (hasTwoHashes(claims)) return violation('body-hash-mismatch', TWO_HASHES);
  const bodyHash = bodyHashOf(claims);
  if (bodyHash !== undefined && bodyHash !== null && typeof bodyHash !== 'string')
    return violation('body-hash-mismatch', HASH_IS_NO_TEXT);
  return { ok: true, nonce, bodyHash: bodyHash ?? undefined };
}

/** The claim `body-hash`, or its other spelling `bodyHash`. */
export const bodyHashOf = (claims: Readonly<Record<string, unknown>>): unknown =>
  claims['body-hash'] ?? claims['bodyHash'];

/** Whether both spellings are present with different values. Null counts as absent. */
export const hasTwoHashes = ({
  'body-hash': hash = null,
  bodyHash = null,
}: Readonly<Record<string, unknown>>): boolean => hash !== null && bodyHash !== null && hash !== bodyHash;

const WRONG_SUBJECT = 'The sub claim must be the id of the API key, as in X-API-Key.';
const WRONG_NONCE = `The nonce claim must be a string of 1 to ${MAX_NONCE} characters, a new one for each attempt.`;
const TWO_HASHES = 'The claims body-hash and bodyHash are two spellings of one claim and differ; send only body-hash.';
const HASH_IS_NO_TEXT =
  'The claim body-hash must be a string: the lower-case hex SHA-256 of the body. It must not be a list or a number.';
const NO_TIMES = 'The token must have iat and exp claims: seconds since 1970, at most 50 seconds apart.';

const EXPIRED = 'The token has expired; sign each attempt again, and check the clock of the client.';
const FROM_THE_FUTURE = 'The iat claim is in the future; check the clock of the client.';
const ENDS_BEFORE_IT_BEGINS = 'The exp claim must be after the iat claim.';
const NOT_YET = 'The nbf claim must not be in the future.';
const violation = (code: ClaimsViolation, message?: string): ClaimsResult => ({
  ok: false,
  code,
  ...(message === undefined ? {} : { message }),
});
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const sameMethod = (claim: unknown, method: string) => typeof claim === 'string' && claim.toUpperCase() === method;
