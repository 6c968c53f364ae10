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

async function signerOf(input: SigningKeyInput): Promise<Signer> {
  if (typeof input === 'string') return pemSigner(input);
  if (isJwk(input)) return jwkSigner(input);
  return { key: input as CryptoKey, alg: algorithmOf(input.algorithm.name) };
}

const isJwk = (input: PrivateJwk | PrivateCryptoKey): input is PrivateJwk => 'kty' in input;

/** The algorithm of a PEM is not readable without parsing, so each one is tried; a wrong one is refused. */
async function pemSigner(pem: string): Promise<Signer> {
  if (OLD_PEM.test(pem)) {
    throw new PonteConfigurationError(
      'the private key is not PKCS#8: convert it with `openssl pkcs8 -topk8 -nocrypt -in key.pem -out key.pkcs8.pem`',
    );
  }
  for (const alg of ALGORITHMS) {
    try {
      return { key: await importPKCS8(pem.trim(), alg), alg };
    } catch {
      // Not a key of this algorithm.
    }
  }
  throw new PonteConfigurationError(`the private key cannot be read: ${ACCEPTED}`);
}

async function jwkSigner(jwk: PrivateJwk): Promise<Signer> {
  const alg = jwk.kty === 'RSA' ? 'RS256' : jwk.kty === 'EC' ? 'ES256' : jwk.kty === 'OKP' ? 'EdDSA' : null;
  if (alg === null || typeof jwk.d !== 'string')
    throw new PonteConfigurationError(`the JWK is not a private key: ${ACCEPTED}`);
  return { key: (await importJWK(jwk as JWK, alg)) as CryptoKey, alg };
}

function algorithmOf(name: string): SigningAlgorithm {
  if (name === 'RSASSA-PKCS1-v1_5') return 'RS256';
  if (name === 'ECDSA') return 'ES256';
  if (name === 'Ed25519') return 'EdDSA';
  throw new PonteConfigurationError(`a CryptoKey of ${name} cannot sign requests: ${ACCEPTED}`);
}

/** SHA-256 in lower-case hex. */
async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
