import type { Chain } from '@ponte/kernel';
import type { FeeLimits } from './sending/fees';
import type { MinimumAmounts } from './token-movement/minimum-amounts.domain';

/** Settings of the service. */
export interface MovementsSettings {
  /**
   * Keys that mint and move tokens: the operators of the minter and custody contracts, on every chain. At least one.
   */
  readonly operatorKeyIds: readonly string[];
  /** All keys of this process: the operator keys first, then the former ones, which only end what they have begun. */
  readonly heldKeyIds: readonly string[];
  /** Interval between two rounds over all unfinished transactions, which resend what was dropped or unknown, ms. */
  readonly pollMs: number;
  readonly feeLimits: Readonly<Record<Chain, FeeLimits>>;
  /** How long a key's first unmined transaction waits before its fees are raised, ms. */
  readonly raiseFeeAfterMs: number;
  /** How long a payment waits for the treasury before it is given up, ms. */
  readonly liquidityMs: number;
  /** How long a transaction waits unsigned before its target is screened again, ms. */
  readonly screenAgainMs: number;
  /** The least that an account may transfer or withdraw of a token. */
  readonly minimumAmounts: MinimumAmounts;
  /** How many transfers of tokens and certificates an account may make per day (São Paulo time). */
  readonly transfersPerDay: number;
  /** Interval between two reconciliations, ms. */
  readonly reconcileMs: number;
  /** How late the ledger may book without being behind, ms. For that long, a difference may be only apparent. */
  readonly ledgerLagMs: number;
  /**
   * Whether the chains may lose accepted transactions, as a killed local chain does. If so, each start compares them
   * with the log.
   */
  readonly chainsForget: boolean;
}

export const SETTINGS = Symbol('Settings');

/** A local chain's contracts name all of these keys from the start, so that more of them can be used later. */
export const MAX_OPERATOR_KEYS = 8;

/** Numbers of the former keystores: keys may be replaced again before the last ones have ended their transactions. */
export const FORMER_KEYSTORES = [1, 2, 3] as const;
export type FormerKeystoreNumber = (typeof FORMER_KEYSTORES)[number];

/** Precedes the names of the keys in that former keystore: `former/`, `former/2/` and so on. Alerts match `former/`. */
export const formerPrefix = (number: FormerKeystoreNumber): string => (number === 1 ? 'former/' : `former/${number}/`);

/** Names of the former keys: `former/2/operator` is the key `operator` of the second former keystore. */
export const formerKeyIds = (
  former: readonly { readonly number: FormerKeystoreNumber; readonly count: number }[],
): readonly string[] =>
  former.flatMap(({ number, count }) => operatorKeyIds(count).map((keyId) => `${formerPrefix(number)}${keyId}`));

/** Names of the operator keys in the keystore. They never change: the contracts name their addresses as operators. */
export const operatorKeyIds = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => (at === 0 ? 'operator' : `operator-${at + 1}`));
