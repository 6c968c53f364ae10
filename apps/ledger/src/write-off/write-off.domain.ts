import type { LedgerAccountEvent } from '@ponte/contracts';
import { BalanceWrittenOff } from '@ponte/contracts';
import { Money, refuse } from '@ponte/kernel';
import { assertRemembered } from '../ledger-account/forgotten-ids.domain';
import type { WriteOff } from '../ledger-account/ledger-account.commands';
import { WRITE_OFF_POSTING_ID } from '../ledger-account/ledger-account.commands';
import type { LedgerAccount } from '../ledger-account/ledger-account.state';
import { amountOf, balanceOf, positive } from '../ledger-account/ledger-account.state';
import { balanced, unclaimedPostings } from '../ledger-account/postings.domain';

/**
 * Writes off what is left of a closed account, once. Two staff members confirmed exactly these amounts. A balance that
 * is negative by now stays: the bank took a Pix back, and the rest reduces what the holder owes. Nothing is written off
 * if a balance is any other: this process may know an old state of the account, which the next attempt does not.
 */
export function writeOff(
  { accountId, amounts, since, now: postedAt }: WriteOff,
  state: LedgerAccount,
): LedgerAccountEvent[] {
  const postingId = WRITE_OFF_POSTING_ID;
  if (state.taken.has(postingId)) return [];
  assertRemembered(state, since, [postingId]);
  const debits = amounts.map(positive).filter(({ asset }) => balanceOf(state, asset).running >= 0n);
  if (debits.length === 0) return [];
  for (const debit of debits) {
    const { running, held } = balanceOf(state, debit.asset);
    if (running !== debit.minor || held !== 0n) {
      const [is, hold] = [running, held].map((minor) => Money.of(debit.asset, minor).toString());
      refuse(
        'account-in-use',
        `a write-off must be the whole balance, with nothing held: ${debit.asset} has ${is}, of which ${hold} is held, ` +
          `and the write-off names ${debit.toString()}`,
      );
    }
  }
  const postings = balanced(debits.flatMap((debit) => unclaimedPostings(accountId, debit)));
  return [new BalanceWrittenOff({ accountId, postingId, debits: debits.map(amountOf), postings, postedAt })];
}
