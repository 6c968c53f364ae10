/** Why a transaction was never signed. */
export type GiveUpReason =
  | 'liquidity-unavailable'
  | 'compliance'
  | 'amount-above-maximum'
  | 'account-not-active'
  | 'refused'
  | 'key-unavailable';

/** An operator's statement that a key will never be available again. */
export interface KeyStatement {
  readonly actor: string;
  readonly reason: string;
}
