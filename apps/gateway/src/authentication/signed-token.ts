import { compactVerify, importSPKI } from 'jose';
import type { CryptoKey } from 'jose';
import type { ApiKeyAlgorithm } from '@ponte/contracts';

/** A partner's public key and the one algorithm it is for. */
export interface VerifyingKey {
  readonly key: CryptoKey;
  readonly algorithm: ApiKeyAlgorithm;
}

export async function verifyingKey(pem: string, algorithm: ApiKeyAlgorithm): Promise<VerifyingKey> {
  return { key: await importSPKI(pem, algorithm), algorithm };
}

/**
 * The claims of a token that this key signed, undefined when it did not. The algorithm is the key's and never the
 * token's choice, so `none`, HMAC and a confused key type are refused.
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
