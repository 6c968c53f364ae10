import { verifyMessage } from 'viem';
import type { WalletProofs } from './wallet-proofs.port';

/** Recovers the key from the signature; no chain is asked, so a contract wallet cannot prove itself this way. */
export const eip191: WalletProofs = {
  async isSignedBy(address, { message, signature }) {
    try {
      return await verifyMessage({ address: address as `0x${string}`, message, signature: signature as `0x${string}` });
    } catch {
      // Not a signature at all.
      return false;
    }
  },
};
