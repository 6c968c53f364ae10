import type { AmountOf, Hold, LedgerAccountEvent } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money, PersistentMap, fromIso } from '@ponte/kernel';
import { takeBackPostingId } from './ledger-account.commands';
import { refuseHold, refuseNotPositive } from './ledger-account.errors';
import { RecentIds } from '../recent-ids/recent-ids.domain';

export const moneyOf = ({ asset, amount }: AmountOf): Money => Money.stored(asset, amount);
export const amountOf = (money: Money): AmountOf => ({ asset: money.asset, amount: money.toString() });

/** The amount of a command. Refuses zero and less. */
export function positive({ asset, amount }: AmountOf): Money {
  const money = Money.parse(asset, amount);
  return money.isPositive() ? money : refuseNotPositive('amount');
}

/** Minor units. Available is running less held. It is negative only after the bank took a payment back. */
export interface Balance {
  readonly running: bigint;
  readonly held: bigint;
}

export interface OpenHold extends Hold {
  readonly placedAt: string;
  /** The deposit, for a hold of a charge's payment: posted or returned, never released. Null for any other hold. */
  readonly depositId: string | null;
}

export interface LedgerAccount {
  readonly balances: Readonly<Partial<Record<AssetId, Balance>>>;
  readonly holds: PersistentMap<OpenHold>;
  /** Ids of postings and holds, so that each is used once. */
  readonly taken: RecentIds;
}

export const emptyLedgerAccount: LedgerAccount = { balances: {}, holds: PersistentMap.empty(), taken: RecentIds.none };

const NOTHING: Balance = { running: 0n, held: 0n };

export const balanceOf = (state: LedgerAccount, asset: AssetId): Balance => state.balances[asset] ?? NOTHING;
export const availableOf = ({ running, held }: Balance): bigint => running - held;

/** Orders the holds of withdrawals by the time they were placed, and then by the ids of their withdrawals. */
export const byPlacement = (a: OpenHold, b: OpenHold): number =>
  a.placedAt.localeCompare(b.placedAt) || a.owner.id.localeCompare(b.owner.id);

/**
 * Whether the balance covers a withdrawal together with the other holds. If not, the bank took a payment back that they
 * rely on. `uncovered`: the withdrawal ends. `undecided`: it would be covered without the holds of payments that were
 * taken back and of newer withdrawals. The orders of those payments end their holds, usually by a release, and the
 * newest withdrawal is decided first.
 */
export type Cover = 'covered' | 'undecided' | 'uncovered';

export function coverOf(state: LedgerAccount, asset: AssetId, withdrawalId: string): Cover {
  const available = availableOf(balanceOf(state, asset));
  if (available >= 0n) return 'covered';
  const holds = state.holds
    .all()
    .map(([, hold]) => hold)
    .filter((hold) => hold.asset === asset);
  const own = holds.find(({ owner }) => owner.kind === 'withdrawal' && owner.id === withdrawalId);
  const isNewer = (hold: OpenHold): boolean =>
    hold.owner.kind === 'withdrawal' && own !== undefined && byPlacement(hold, own) > 0;
  const isTakenBack = ({ depositId }: OpenHold): boolean =>
    depositId !== null && state.taken.has(takeBackPostingId(depositId));
  const ending = holds
    .filter((hold) => isNewer(hold) || isTakenBack(hold))
    .reduce((sum, hold) => sum + moneyOf(hold).minor, 0n);
  return available + ending >= 0n ? 'undecided' : 'uncovered';
}

/** The open hold with this id. Refuses `hold-not-open`. */
export const openHold = (state: LedgerAccount, holdId: string): OpenHold =>
  state.holds.get(holdId) ?? refuseHold('the hold is not open');

/** Whether a request repeats the hold that is open: same owner, asset and amount. */
export const sameHold = (open: OpenHold, hold: Hold, amount: Money): boolean =>
  open.owner.kind === hold.owner.kind &&
  open.owner.id === hold.owner.id &&
  open.asset === hold.asset &&
  open.amount === amount.toString();

/**
 * States are built member by member: spreading an object and then overriding a member costs more time per acceptance
 * than the fold itself.
 */
export function evolve({ balances, holds, taken }: LedgerAccount, event: LedgerAccountEvent): LedgerAccount {
  switch (event.type) {
    case 'HoldPlaced': {
      const { hold, placedAt } = event.data;
      return {
        balances: withHeld(balances, hold, 1n),
        holds: opened(holds, hold, placedAt, null),
        taken: took(taken, hold.holdId, placedAt),
      };
    }
    case 'HoldReleased': {
      const { holdId } = event.data;
      return { balances: withHeld(balances, openIn(holds, holdId), -1n), holds: holds.without(holdId), taken };
    }
    case 'DepositPosted': {
      const { postingId, postedAt, credit } = event.data;
      return { balances: posted(balances, credit, 1n), holds, taken: took(taken, postingId, postedAt) };
    }
    case 'DepositPostedAndHeld': {
      const { postingId, postedAt, credit, hold, depositId } = event.data;
      return {
        balances: withHeld(posted(balances, credit, 1n), hold, 1n),
        holds: opened(holds, hold, postedAt, depositId),
        taken: took(took(taken, postingId, postedAt), hold.holdId, postedAt),
      };
    }
    case 'TokenMovementPosted':
    case 'ExchangePosted': {
      const { postingId, postedAt, holdId, debit, credit } = event.data;
      const deliveryHold = event.type === 'ExchangePosted' ? event.data.deliveryHold : null;
      const debited = posted(withHeld(balances, openIn(holds, holdId), -1n), debit, -1n);
      const credited = credit ? posted(debited, credit, 1n) : debited;
      const remaining = holds.without(holdId);
      const recorded = took(taken, postingId, postedAt);
      if (!deliveryHold) return { balances: credited, holds: remaining, taken: recorded };
      return {
        balances: withHeld(credited, deliveryHold, 1n),
        holds: opened(remaining, deliveryHold, postedAt, null),
        taken: took(recorded, deliveryHold.holdId, postedAt),
      };
    }
    case 'BalanceWrittenOff': {
      const { postingId, postedAt, debits } = event.data;
      const left = debits.reduce((sums, debit) => posted(sums, debit, -1n), balances);
      return { balances: left, holds, taken: took(taken, postingId, postedAt) };
    }
    case 'DepositPostingBarred':
      return { balances, holds, taken: took(taken, event.data.postingId, event.data.barredAt) };
    // Moves money only between house accounts.
    case 'HouseLossPosted':
    case 'HouseLossReversed':
      return { balances, holds, taken: took(taken, event.data.postingId, event.data.postedAt) };
    case 'WithdrawalPosted':
    case 'DepositReversed': {
      const { postingId, postedAt, holdId, debit } = event.data;
      if (holdId === null)
        return { balances: posted(balances, debit, -1n), holds, taken: took(taken, postingId, postedAt) };
      return {
        balances: posted(withHeld(balances, openIn(holds, holdId), -1n), debit, -1n),
        holds: holds.without(holdId),
        taken: took(taken, postingId, postedAt),
      };
    }
  }
}

type Balances = LedgerAccount['balances'];
type Holds = LedgerAccount['holds'];

const opened = (
  holds: Holds,
  { holdId, owner, asset, amount, source }: Hold,
  placedAt: string,
  depositId: string | null,
): Holds => holds.with(holdId, { holdId, owner, asset, amount, placedAt, depositId, source });

const openIn = (holds: Holds, holdId: string): OpenHold => {
  const hold = holds.get(holdId);
  if (!hold) throw new Error('the stream of the account is damaged: a hold that is not open was released or used');
  return hold;
};

function withHeld(balances: Balances, amount: AmountOf, sign: 1n | -1n): Balances {
  const { running, held } = balances[amount.asset] ?? NOTHING;
  return withBalance(balances, amount.asset, { running, held: held + sign * moneyOf(amount).minor });
}

function posted(balances: Balances, amount: AmountOf, sign: 1n | -1n): Balances {
  const { running, held } = balances[amount.asset] ?? NOTHING;
  return withBalance(balances, amount.asset, { running: running + sign * moneyOf(amount).minor, held });
}

function withBalance(balances: Balances, asset: AssetId, balance: Balance): Balances {
  const changed: Partial<Record<AssetId, Balance>> = { ...balances };
  changed[asset] = balance;
  return changed;
}

const took = (taken: RecentIds, id: string, at: string): RecentIds => taken.with(id, fromIso(at));
