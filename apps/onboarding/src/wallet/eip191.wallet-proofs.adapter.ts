import { verifyMessage } from 'viem';
import type { WalletProofs } from './wallet-proofs.port';

/** Recovers the key from the signature. No chain is queried, so a contract wallet cannot prove ownership this way. */
export const eip191: WalletProofs = {
  async isSignedBy(address, { message, signature }) {
    try {
      return await verifyMessage({ address: address as `0x${string}`, message, signature: signature as `0x${string}` });
    } catch {
      // The text is not a signature.
      return false;
    }
  },
};
