import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { CryptoKey, JWK, KeyObject } from 'jose';
import { calculateJwkThumbprint, CompactSign, importJWK } from 'jose';
import type { PersonalData } from '@ponte/event-sourcing';
import { canonicalJson } from '@ponte/kernel';
import type { Setting, Variables } from '@ponte/kernel';
import type { Environment } from '@ponte/nest';

export const QUOTE_SIGNING_KEYS: Setting = {
  name: 'PONTE_QUOTE_SIGNING_KEYS',
  meaning:
    'JWK set (JSON file) for explanations of quotes: the first key, an Ed25519 private key, signs; the others are ' +
    'published so that older signatures can be verified. The sandbox derives a key; in production, explanations are ' +
    'unavailable without it',
  default: '',
};

/** Media type of the signed content, in the `typ` header. */
const TYPE = 'ponte-quote+json';
const ALGORITHM = 'EdDSA';
/** The PKCS #8 prefix of an Ed25519 key (RFC 8410); the 32 bytes of the seed follow it. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

interface SigningKey {
  readonly key: CryptoKey | KeyObject | Uint8Array;
  readonly kid: string;
}

/** Signs explanations of quotes as compact JWS. The public keys are at `/.well-known/jwks.json`. */
export class QuoteSigner {
  private constructor(
    private readonly signing: SigningKey | null,
    readonly jwks: { readonly keys: readonly JWK[] },
  ) {}

  /** Throws when the configured file is not a JWK set whose first key can sign. */
  static async open(env: Variables, environment: Environment, personalData: PersonalData): Promise<QuoteSigner> {
    const keys = readSigningKeys(env);
    return QuoteSigner.of(keys.length === 0 && environment === 'sandbox' ? [sandboxKey(personalData)] : keys);
  }

  /** The first key signs. Private fields are never published. */
  static async of(keys: readonly JWK[]): Promise<QuoteSigner> {
    const [first] = withPrivateKey(keys);
    const named = await Promise.all(
      keys.map(async ({ kty, crv, x, kid }): Promise<JWK> => ({
        kty,
        crv,
        x,
        use: 'sig',
        alg: ALGORITHM,
        kid: kid ?? (await calculateJwkThumbprint({ kty, crv, x })),
      })),
    );
    return new QuoteSigner(first ? { key: await importJWK(first, ALGORITHM), kid: named[0]?.kid ?? '' } : null, {
      keys: named,
    });
  }

  /** Returns null when this installation has no key. */
  async sign(statement: object): Promise<string | null> {
    if (this.signing === null) return null;
    const { key, kid } = this.signing;
    return new CompactSign(new TextEncoder().encode(canonicalJson(statement)))
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: TYPE })
      .sign(key);
  }
}

/** The keys of the configured file; none without one. Throws when it is not a JWK set whose first key can sign. */
export function readSigningKeys(env: Variables): readonly JWK[] {
  const file = env[QUOTE_SIGNING_KEYS.name];
  if (!file) return [];
  const keys = keysIn(file);
  if (!Array.isArray(keys) || keys.length === 0)
    throw new Error(`${QUOTE_SIGNING_KEYS.name} does not name a JWK set with at least one key`);
  return withPrivateKey(keys as JWK[]);
}

function keysIn(file: string): unknown {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { keys?: unknown }).keys;
  } catch {
    return undefined;
  }
}

function withPrivateKey(keys: readonly JWK[]): readonly JWK[] {
  if (keys.some(({ crv, x }) => crv !== 'Ed25519' || !x))
    throw new Error(`${QUOTE_SIGNING_KEYS.name}: every key must be an Ed25519 key (kty OKP)`);
  if (keys[0] && !keys[0].d) throw new Error(`${QUOTE_SIGNING_KEYS.name}: the first key must be a private key`);
  return keys;
}

/** Derives the key from a secret of the installation, so all gateways of a sandbox have the same permanent key. */
function sandboxKey(personalData: PersonalData): JWK {
  const seed = createHash('sha256').update(personalData.fingerprint('quote-signing-key', 'sandbox')).digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  return { ...createPublicKey(key).export({ format: 'jwk' }), d: seed.toString('base64url') } as JWK;
}
