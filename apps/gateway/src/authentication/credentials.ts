import type { IncomingHttpHeaders } from 'node:http';
import type { BlockList } from 'node:net';
import type { ApiKeyRecord } from '@ponte/contracts';
import { isApiKeyId, keyIdOfBearer } from '@ponte/contracts';
import { blockListOf } from '../authorization/ip-allowlist';
import type { Caller } from '../edge/request-context.service';
import { ApiError } from '../errors/api-error';
import type { VerifyingKey } from './signed-token';
import { verifyingKey } from './signed-token';

/** The credentials of a request, not verified yet. */
export type Credentials =
  | { readonly kind: 'bearer'; readonly keyId: string; readonly secret: string }
  | { readonly kind: 'signed'; readonly keyId: string; readonly token: string };

const SECRET_PREFIX = 'sk_test_';
const BEARER_KEY = /^Bearer +sk_(?:test|live)_/i;
const TWO_KEYS = 'X-API-Key does not name this sandbox key. Send a sandbox key without X-API-Key.';
/** The longest accepted token. A token with an RSA-4096 signature has about 1 kB. */
const MAX_TOKEN = 4096;

/**
 * Reads the credentials of a request: `X-API-Key` with a signed bearer token, or a sandbox bearer key alone. Throws 401
 * `missing-credentials`, or `unknown-api-key` if the key id is malformed or the two ids differ.
 */
export function readCredentials(headers: IncomingHttpHeaders): Credentials {
  const token = bearerToken(headers.authorization);
  const named = headers['x-api-key'];
  if (Array.isArray(named)) throw missing();
  // Also a key with characters that no token has, such as the dots of an abbreviated key, or with a live prefix.
  if (BEARER_KEY.test(headers.authorization ?? '')) {
    const keyId = token === undefined ? undefined : keyIdOfBearer(token);
    if (token === undefined || keyId === undefined) throw new ApiError('unknown-api-key');
    if (named !== undefined && named !== keyId) throw new ApiError('unknown-api-key', { message: TWO_KEYS });
    return { kind: 'bearer', keyId, secret: token };
  }
  if (token === undefined || named === undefined || named === '') throw missing();
  if (!isApiKeyId(named)) throw new ApiError('unknown-api-key');
  return { kind: 'signed', keyId: named, token };
}

/** The key id that a request names, without proof that the caller holds the key. */
export function namedKey(headers: IncomingHttpHeaders): string | undefined {
  const named = headers['x-api-key'];
  if (typeof named === 'string') return isApiKeyId(named) ? named : undefined;
  const token = bearerToken(headers.authorization);
  return token?.startsWith(SECRET_PREFIX) ? keyIdOfBearer(token) : undefined;
}

const missing = () =>
  new ApiError('missing-credentials', {
    message: 'Send X-API-Key with a signed bearer token or, in the sandbox, only a bearer key.',
  });

function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || authorization.length > MAX_TOKEN) return undefined;
  return /^Bearer +([!-~]+)$/i.exec(authorization)?.[1];
}

/** An API key with the values derived from its record once. */
export interface KnownKey {
  readonly record: ApiKeyRecord;
  /** The hash of a bearer key's secret; undefined for a key that signs. */
  readonly secretHash: Buffer | undefined;
  /** The account that holds the key. */
  readonly caller: Caller;
  /** Undefined for a bearer key. */
  readonly publicKey: Promise<VerifyingKey> | undefined;
  /** Null allows any address. */
  readonly allowed: BlockList | null;
}

/**
 * Prepares a key's record for authentication. A public key that cannot be imported fails only the requests that use it.
 */
export function known(record: ApiKeyRecord): KnownKey {
  const { credential, ipAllowlist } = record;
  const publicKey = credential.kind === 'jwt' ? verifyingKey(credential.publicKey, credential.algorithm) : undefined;
  // Otherwise the rejection would be unhandled and end the process.
  publicKey?.catch(() => undefined);
  return {
    record,
    secretHash: credential.kind === 'bearer' ? Buffer.from(credential.secretHash, 'hex') : undefined,
    caller: { keyId: record.keyId, accountId: record.accountId, access: record.access, rateLimits: record.rateLimits },
    publicKey,
    allowed: ipAllowlist.length === 0 ? null : blockListOf(ipAllowlist),
  };
}
