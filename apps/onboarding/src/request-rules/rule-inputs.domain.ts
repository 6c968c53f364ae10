import type { OnboardingMode } from '@ponte/contracts';

/** The parent as rules 1 and 2 need it. */
export interface ParentPermissions {
  readonly active: boolean;
  /** Null for a sub-account, which cannot onboard. */
  readonly mode: OnboardingMode | null;
  readonly capabilities: readonly string[];
}

/** The state of the request's files and wallets, and the time: what rules 3 to 12 need besides the request. */
export interface FilesAndWallets {
  /** Business time, epoch milliseconds. */
  readonly nowMs: number;
  /** Of the files that the request names, the ids of those that this parent uploaded and that still exist. */
  readonly knownFiles: ReadonlySet<string>;
  /** Of the wallets that the request names, the lower-case addresses of the service, and why they are refused. */
  readonly houseWallets: ReadonlyMap<string, string>;
  /** Of the wallets that the request names, the lower-case addresses that another account holds. */
  readonly takenWallets: ReadonlySet<string>;
  /** Lower-case addresses whose proof was not signed by their key. */
  readonly disprovenWallets: ReadonlySet<string>;
}
