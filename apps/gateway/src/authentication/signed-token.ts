import { compactVerify, importSPKI } from 'jose';
import type { CryptoKey } from 'jose';
import type { ApiKeyAlgorithm } from '@ponte/contracts';

/** A partner's public key and the only algorithm that it may be used with. */
export interface VerifyingKey {
  readonly key: CryptoKey;
  readonly algorithm: ApiKeyAlgorithm;
}

/** Imports a public key. Rejects if it is no key of the algorithm. */
export async function verifyingKey(pem: string, algorithm: ApiKeyAlgorithm): Promise<VerifyingKey> {
  return { key: await importSPKI(pem, algorithm), algorithm };
}

/**
 * The claims of a token that this key signed; undefined if it did not. The key determines the algorithm, never the
 * token, so `none`, HMAC and mismatched key types are refused.
 */
export async function verifiedClaims(
  token: string,
  { key, algorithm }: VerifyingKey,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
    const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    return typeof claims === 'object' && claims !== null && !Array.isArray(claims)
      ? (claims as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
