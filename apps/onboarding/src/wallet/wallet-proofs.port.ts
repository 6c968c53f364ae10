/** Checks whether a text was signed with the key of an address (EIP-191). */
export interface WalletProofs {
  isSignedBy(address: string, proof: { readonly message: string; readonly signature: string }): Promise<boolean>;
}

export const WALLET_PROOFS = Symbol('WalletProofs');
