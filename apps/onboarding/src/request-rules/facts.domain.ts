import type { OnboardingMode } from '@ponte/contracts';

/** The parent as rules 1 and 2 see it. */
export interface ParentFacts {
  readonly active: boolean;
  /** Null of a sub-account, which onboards no one. */
  readonly mode: OnboardingMode | null;
  readonly capabilities: readonly string[];
}

/** What rules 3 to 12 need to know besides the request. */
export interface RequestFacts {
  /** Business time, epoch milliseconds. */
  readonly nowMs: number;
  /** Ids, of those the request names, of files that this parent uploaded and that are still there. */
  readonly knownFiles: ReadonlySet<string>;
  /** Lower-case addresses, of those the request names, that another account holds. */
  readonly takenWallets: ReadonlySet<string>;
  /** Lower-case addresses whose proof was not signed by their key. */
  readonly disprovenWallets: ReadonlySet<string>;
}
