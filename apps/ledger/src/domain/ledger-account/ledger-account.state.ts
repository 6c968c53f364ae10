import type { AmountOf, Hold, LedgerAccountFact } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { fromIso } from '@ponte/kernel';
import { moneyOf } from './postings';
import { RecentIds } from './recent-ids';
import { VersionedMap } from './versioned-map';

/** Minor units. Available is what is posted and not held, and never below zero. */
export interface Balance {
  readonly running: bigint;
  readonly held: bigint;
}

export interface OpenHold extends Hold {
  readonly placedAt: string;
  /** The payment of a charge that is held for its order: posted or returned, never released. */
  readonly depositId: string | null;
}

export interface LedgerAccount {
  readonly balances: Readonly<Partial<Record<AssetId, Balance>>>;
  readonly holds: VersionedMap<OpenHold>;
  /** Ids of postings and holds, so that none is taken twice. */
  readonly taken: RecentIds;
}

export const emptyLedgerAccount: LedgerAccount = { balances: {}, holds: VersionedMap.empty(), taken: RecentIds.none };

const NOTHING: Balance = { running: 0n, held: 0n };

export const balanceOf = (state: LedgerAccount, asset: AssetId): Balance => state.balances[asset] ?? NOTHING;
export const availableOf = ({ running, held }: Balance): bigint => running - held;

export function evolve(state: LedgerAccount, event: LedgerAccountFact): LedgerAccount {
  switch (event.type) {
    case 'HoldPlaced': {
      const { hold, placedAt } = event.data;
      return opened(take(state, hold.holdId, placedAt), { ...hold, placedAt, depositId: null });
    }
    case 'HoldReleased':
      return closed(state, event.data.holdId);
    case 'DepositPosted':
      return posted(take(state, event.data.postingId, event.data.postedAt), event.data.credit, 1n);
    case 'DepositPostedAndHeld': {
      const { postingId, postedAt, credit, hold, depositId } = event.data;
      const credited = posted(take(take(state, postingId, postedAt), hold.holdId, postedAt), credit, 1n);
      return opened(credited, { ...hold, placedAt: postedAt, depositId });
    }
    case 'ExchangePosted': {
      const { postingId, postedAt, holdId, debit, credit } = event.data;
      const debited = posted(closed(take(state, postingId, postedAt), holdId), debit, -1n);
      return credit ? posted(debited, credit, 1n) : debited;
    }
    case 'DepositReversed': {
      const { postingId, postedAt, holdId, debit } = event.data;
      return posted(closed(take(state, postingId, postedAt), holdId), debit, -1n);
    }
  }
}

const opened = (state: LedgerAccount, hold: OpenHold): LedgerAccount => ({
  ...withHeld(state, hold, 1n), holds: state.holds.with(hold.holdId, hold),
});

function closed(state: LedgerAccount, holdId: string): LedgerAccount {
  const hold = state.holds.get(holdId);
  if (!hold) throw new Error('a hold ends that is not open: the stream of the account is damaged');
  return { ...withHeld(state, hold, -1n), holds: state.holds.without(holdId) };
}

function withHeld(state: LedgerAccount, amount: AmountOf, sign: 1n | -1n): LedgerAccount {
  const { running, held } = balanceOf(state, amount.asset);
  return { ...state, balances: { ...state.balances, [amount.asset]: { running, held: held + sign * moneyOf(amount).minor } } };
}

function posted(state: LedgerAccount, amount: AmountOf, sign: 1n | -1n): LedgerAccount {
  const { running, held } = balanceOf(state, amount.asset);
  return { ...state, balances: { ...state.balances, [amount.asset]: { running: running + sign * moneyOf(amount).minor, held } } };
}

const take = (state: LedgerAccount, id: string, at: string): LedgerAccount => ({ ...state, taken: state.taken.with(id, fromIso(at)) });
