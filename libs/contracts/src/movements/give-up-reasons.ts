/**
 * Why orders has a settlement refused: the account was closed or is to be closed, the bank took the payment of the
 * order back, or movements refused to request the settlement (`refused`).
 */
export type RefusedReason = 'account-not-active' | 'payment-taken-back' | 'refused';

/** Why a transaction ended without an effect, by a decision of Ponte. */
export type GiveUpReason =
  'liquidity-unavailable' | 'compliance' | 'amount-above-maximum' | RefusedReason | 'key-unavailable';

/** An operator's statement that a key will never be available again. */
export interface KeyStatement {
  readonly actor: string;
  readonly reason: string;
}

/** Evidence that signed bytes can have no effect any more: their contract reverts all calls of their key. */
export interface RevokedKey {
  /** Address of the contract that the bytes call. */
  readonly contract: string;
  /** The final block at which the contract did not accept the key as an operator. */
  readonly blockNumber: string;
  readonly blockHash: string;
}
