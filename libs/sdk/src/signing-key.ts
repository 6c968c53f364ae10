import { importJWK, importPKCS8, SignJWT } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { PonteConfigurationError } from './errors';

/** A private key as a JSON Web Key. */
export interface PrivateJwk {
  readonly kty: string;
  readonly d?: string;
  readonly [member: string]: unknown;
}

/** The members of a `CryptoKey` that are used. Declared here because not every runtime's types include it. */
export interface PrivateCryptoKey {
  readonly algorithm: { readonly name: string };
  readonly type: string;
  readonly extractable: boolean;
  readonly usages: readonly string[];
}

/** PKCS#8 PEM text, a JWK or a `CryptoKey` with the usage `sign`. */
export type SigningKeyInput = string | PrivateJwk | PrivateCryptoKey;

/** The algorithms that the API accepts. */
export type SigningAlgorithm = 'RS256' | 'ES256' | 'EdDSA';

/** The request to which a token is bound. */
export interface SignedRequest {
  readonly keyId: string;
  readonly method: string;
  /** Path with query, exactly as it is sent. */
  readonly uri: string;
  readonly body: Uint8Array | null;
}

interface Signer {
  readonly key: CryptoKey;
  readonly alg: SigningAlgorithm;
}

const LIFETIME_SECONDS = 30;
const MS_PER_SECOND = 1_000;
const ALGORITHMS: readonly SigningAlgorithm[] = ['ES256', 'EdDSA', 'RS256'];
const ACCEPTED = 'pass an RSA key of 2048 bits or more, a P-256 key or an Ed25519 key, as PKCS#8 PEM, JWK or CryptoKey';
const RSA_BITS = 2_048;
const PEM = '-----BEGIN PRIVATE KEY-----';
const OLD_PEM = /-----BEGIN (RSA|EC) PRIVATE KEY-----/;

/** A private key that signs requests. It is parsed once, at the first request. */
export class SigningKey {
  private signer: Promise<Signer> | undefined;

  constructor(private readonly input: SigningKeyInput) {}

  /** Creates a token for one attempt of one request, with a new nonce. */
  async token({ keyId, method, uri, body }: SignedRequest, now: number = Date.now()): Promise<string> {
    const { key, alg } = await (this.signer ??= signerOf(this.input));
    const issuedAt = Math.floor(now / MS_PER_SECOND);
    const claims = { uri, method, nonce: crypto.randomUUID(), ...(body ? { 'body-hash': await sha256(body) } : {}) };
    return new SignJWT(claims)
      .setProtectedHeader({ alg, typ: 'JWT' })
      .setSubject(keyId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      .sign(key);
  }
}

/** Parses a key. Throws {@link PonteConfigurationError} for one that cannot sign requests. */
async function signerOf(input: SigningKeyInput): Promise<Signer> {
  checkSigningKey(input);
  const signer = await (typeof input === 'string'
    ? pemSigner(input)
    : isJwk(input)
      ? jwkSigner(input)
      : { key: input as CryptoKey, alg: algorithmOf(input.algorithm.name) });
  const { modulusLength = RSA_BITS } = signer.key.algorithm as { modulusLength?: number };
  if (modulusLength < RSA_BITS) throw refused(`the RSA key has only ${modulusLength} bits`);
  return signer;
}

const refused = (reason: string): PonteConfigurationError => new PonteConfigurationError(`${reason}: ${ACCEPTED}`);

const isJwk = (input: PrivateJwk | PrivateCryptoKey): input is PrivateJwk => 'kty' in input;

/**
 * Checks what can be seen without parsing the key.
 *
 * @throws PonteConfigurationError if it cannot be a key that signs requests
 */
export function checkSigningKey(input: SigningKeyInput): void {
  if (typeof input === 'string') return checkPem(input);
  if (typeof input !== 'object' || input === null) throw refused('the private key is missing');
  if (isJwk(input)) return void jwkAlgorithm(input);
  if ('asymmetricKeyType' in input)
    throw refused("a KeyObject cannot be used: pass key.export({ type: 'pkcs8', format: 'pem' })");
  if (input.type !== 'private' || !input.usages?.includes('sign'))
    throw refused('the CryptoKey is not a private key with the usage sign');
  const { name, namedCurve = 'P-256' } = input.algorithm as { name: string; namedCurve?: string };
  algorithmOf(name);
  if (namedCurve !== 'P-256') throw refused(`a CryptoKey of ${namedCurve} cannot sign requests`);
}

function checkPem(pem: string): void {
  if (OLD_PEM.test(pem)) {
    throw new PonteConfigurationError(
      'the private key is not PKCS#8: convert it with `openssl pkcs8 -topk8 -nocrypt -in key.pem -out key.pkcs8.pem`',
    );
  }
  if (!pem.includes(PEM)) throw refused('the private key cannot be read');
}

/** The algorithm of a PEM is not readable without parsing, so each one is tried; a wrong one is refused. */
async function pemSigner(pem: string): Promise<Signer> {
  for (const alg of ALGORITHMS) {
    try {
      return { key: await importPKCS8(pem.trim(), alg), alg };
    } catch {
      // Not a key of this algorithm.
    }
  }
  throw refused('the private key cannot be read');
}

async function jwkSigner(jwk: PrivateJwk): Promise<Signer> {
  const alg = jwkAlgorithm(jwk);
  try {
    return { key: (await importJWK(jwk as JWK, alg)) as CryptoKey, alg };
  } catch {
    throw refused('the JWK cannot be read');
  }
}

function jwkAlgorithm({ kty, crv, d }: PrivateJwk): SigningAlgorithm {
  if (typeof d !== 'string') throw refused('the JWK is not a private key');
  if (kty === 'RSA') return 'RS256';
  if (kty === 'EC' && crv === 'P-256') return 'ES256';
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA';
  throw refused(`a JWK of ${String(crv ?? kty)} cannot sign requests`);
}

function algorithmOf(name: string): SigningAlgorithm {
  if (name === 'RSASSA-PKCS1-v1_5') return 'RS256';
  if (name === 'ECDSA') return 'ES256';
  if (name === 'Ed25519') return 'EdDSA';
  throw refused(`a CryptoKey of ${name} cannot sign requests`);
}

/** SHA-256 in lower-case hex. */
async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
