import type { EventStore } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS, fundTokens } from './fund-tokens';
import type { LedgerUnderTest } from './ledger-under-test';

/** The token that the account withdraws. */
export const ASSET = 'eth-base/brlv';
/** What the account has of it. */
export const FUNDS = '100.000000000000000000';

/** Withdrawals of {@link ASSET} to an address outside, by an account that has {@link FUNDS}. */
export function tokenWithdrawalsOf<Store extends EventStore>(ledger: LedgerUnderTest<Store>) {
  const available = async (): Promise<string> => (await ledger.balance(ASSET)).available;
  return {
    available,
    /** Credits the funds and waits until they are available. */
    async fund(): Promise<void> {
      await fundTokens(ledger);
      await eventually(async () => expect(await available()).toBe(FUNDS));
    },
    withdraw: (amount: string, more: object = {}) =>
      ledger.withdraw(amount, { destinationWalletAddress: CLEAN_ADDRESS }, { asset: ASSET, method: 'token', ...more }),
  };
}

/** The code and path of each violation of a request; empty if it is accepted. */
export const violationsOf = (attempt: Promise<unknown>): Promise<readonly string[]> =>
  attempt.then(
    () => [],
    (error: unknown) => {
      if (error instanceof Refusal) return error.violations.map(({ code, path }) => `${code} ${path}`);
      throw error;
    },
  );
