import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { Violation } from '@ponte/kernel';
import type { ApiKeyAlgorithm, ApiKeyCredential } from './events';

/** Smaller RSA keys can be broken. */
const RSA_MIN_BITS = 2048;
/** A PEM of RSA 8192 has about 1,500 characters. Larger keys would make verification expensive without a benefit. */
const RSA_MAX_BITS = 8192;
const PEM_MAX_LENGTH = 4096;
const PUBLIC_PEM = /^-----BEGIN PUBLIC KEY-----\r?\n[0-9A-Za-z+/=\r\n]+-----END PUBLIC KEY-----\s*$/;

/**
 * Checks the public key and the address list of an API key. The gateway calls it before it sends a message, so that an
 * accidentally sent private key is in no message; onboarding calls it again.
 */
export const materialViolations = (credential: ApiKeyCredential, ipAllowlist: readonly string[]): Violation[] => [
  ...(credential.kind === 'jwt' ? publicKeyViolations(credential.algorithm, credential.publicKey) : []),
  ...ipAllowlist.flatMap((entry, at): Violation[] =>
    isAddressOrBlock(entry)
      ? []
      : [{ code: 'invalid-format', path: `ip-allowlist[${at}]`, message: 'must be an IP address or a CIDR block' }],
  ),
];

/**
 * Rejects a private key, although `createPublicKey` would accept it and derive its public half: the caller must learn
 * that the key is compromised.
 */
function publicKeyViolations(algorithm: ApiKeyAlgorithm, pem: string): Violation[] {
  const wrong = (message: string): Violation[] => [{ code: 'invalid-public-key', path: 'public-key', message }];
  if (/PRIVATE KEY/.test(pem))
    return wrong('this is a private key, which must never be sent; create a new key pair and send the public key');
  if (pem.length > PEM_MAX_LENGTH || !PUBLIC_PEM.test(pem))
    return wrong('must be a PEM that starts with BEGIN PUBLIC KEY');
  const key = publicKeyOf(pem);
  return key && fits(algorithm, key) ? [] : wrong(WANTED[algorithm]);
}

const WANTED: Readonly<Record<ApiKeyAlgorithm, string>> = {
  RS256: `RS256 requires an RSA public key of ${RSA_MIN_BITS} to ${RSA_MAX_BITS} bits`,
  ES256: 'ES256 requires a public key on the curve P-256',
  EdDSA: 'EdDSA requires an Ed25519 public key',
};

function publicKeyOf(pem: string): KeyObject | undefined {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

function fits(algorithm: ApiKeyAlgorithm, key: KeyObject): boolean {
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (algorithm) {
    case 'RS256':
      return (
        key.asymmetricKeyType === 'rsa' &&
        modulusLength !== undefined &&
        modulusLength >= RSA_MIN_BITS &&
        modulusLength <= RSA_MAX_BITS
      );
    case 'ES256':
      return key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1';
    case 'EdDSA':
      return key.asymmetricKeyType === 'ed25519';
  }
}

function isAddressOrBlock(entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  // A zone (`fe80::1%eth0`) has a meaning on one machine only.
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}
