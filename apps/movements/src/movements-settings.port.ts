/** Settings of the service. */
export interface MovementsSettings {
  /**
   * Keys that mint and move wallets: the operators of the minter and custody contracts, on every chain. At least one.
   */
  readonly operatorKeyIds: readonly string[];
  /** Between two rounds over everything that is unfinished, ms: what was dropped or unknown is sent again. */
  readonly pollMs: number;
  /** The most that is offered for a unit of gas, wei. */
  readonly maxFeePerGas: bigint;
  /** For how long bytes wait unmined, first in the line of their key, before their fees are raised, ms. */
  readonly raiseFeeAfterMs: number;
  /** For how long a payment waits for the treasury before it is given up, ms. */
  readonly liquidityMs: number;
  /** For how long a transaction waits unsigned before its target is screened again, ms. */
  readonly screenAgainMs: number;
  /** Between two reconciliations, ms. */
  readonly reconcileMs: number;
  /**
   * The chains may lose what they had taken, as a local one does that is killed: at each start the log's bytes are
   * compared with them.
   */
  readonly chainsForget: boolean;
}

export const SETTINGS = Symbol('Settings');

/** A local chain's contracts name all of them from the start, so that more can be put to work without new contracts. */
export const MOST_OPERATOR_KEYS = 8;

/** Names of so many operator keys in the key store, for good: their addresses are the operators in the contracts. */
export const operatorKeyIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 'operator' : `operator-${at + 1}`));
