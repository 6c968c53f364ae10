import { createPublicKey } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1';
import { publicKeyToAddress } from 'viem/accounts';
import type { Hex } from '../../../chain/chain.port';

/** An Ethereum signature: two scalars and which of the two possible public keys signed. */
interface RecoverableSignature {
  readonly r: Hex;
  readonly s: Hex;
  readonly yParity: 0 | 1;
}

const hexOf = (scalar: bigint): Hex => `0x${scalar.toString(16).padStart(64, '0')}`;
const bytesOf = (coordinate: string | undefined): string =>
  Buffer.from(coordinate ?? '', 'base64url')
    .toString('hex')
    .padStart(64, '0');

/**
 * The Ethereum address of a public key.
 *
 * @param spki the key in DER (SubjectPublicKeyInfo), as KMS returns it
 * @returns the address in lower case
 * @throws Error when the key is not on secp256k1
 */
export function addressOfSpki(spki: Uint8Array): Hex {
  const { crv, x, y } = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  });
  if (crv !== 'secp256k1') throw new Error('the KMS key is not on secp256k1: its key spec must be ECC_SECG_P256K1');
  return publicKeyToAddress(`0x04${bytesOf(x)}${bytesOf(y)}`).toLowerCase() as Hex;
}

/**
 * Turns an ECDSA signature in DER into one that Ethereum accepts. KMS returns `s` in either half of the group and no
 * recovery id. Ethereum accepts only the lower half (EIP-2) and needs to know which public key signed.
 *
 * @param der the signature as KMS returns it
 * @param digest the 32 bytes that were signed
 * @param address the expected signer, in lower case
 * @throws Error when the signature was not made by this address over this digest
 */
export function recoverable(der: Uint8Array, digest: Uint8Array, address: Hex): RecoverableSignature {
  const { r, s } = secp256k1.Signature.fromDER(der).normalizeS();
  for (const yParity of [0, 1] as const) {
    const key = new secp256k1.Signature(r, s).addRecoveryBit(yParity).recoverPublicKey(digest).toHex(false);
    if (publicKeyToAddress(`0x${key}`).toLowerCase() === address) return { r: hexOf(r), s: hexOf(s), yParity };
  }
  throw new Error(`KMS returned a signature that is not of ${address}`);
}
