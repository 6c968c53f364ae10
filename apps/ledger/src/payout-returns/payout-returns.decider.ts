import type { DecimalText, PayoutReturnEvent, Timestamp } from '@ponte/contracts';
import { PAYOUT_RETURN_EVENTS, PayoutReturnListed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';

/** A return of a payment, with its amount in the asset of the withdrawal. */
export interface ReturnedAmount {
  readonly returnId: string;
  readonly amount: DecimalText;
}

/** A return that counts against its payment. */
interface CountedReturn {
  /** The amount that the bank first stated. */
  readonly amount: DecimalText;
  /** Whether it is more than was left of the payment, so that no account may receive it. */
  readonly exceeds: boolean;
}

/** All returns that the bank has ever listed for one payment, by the bank's id of the return. */
export type CountedReturns = ReadonlyMap<string, CountedReturn>;

export interface ListReturns {
  readonly kind: 'list';
  readonly withdrawalId: string;
  readonly asset: AssetId;
  /** The amount of the payment. */
  readonly paid: DecimalText;
  /** What the bank lists now. */
  readonly listed: readonly ReturnedAmount[];
  /**
   * Returns that already have a deposit. They count even if the deposit was created by a version that did not count
   * returns.
   */
  readonly deposited: readonly ReturnedAmount[];
  readonly now: Timestamp;
}

/**
 * Stream `payoutReturns-<withdrawalId>`: ensures that no more of a payment is credited than was paid, whatever returns
 * the bank lists, at any time and under any ids. The decision about a return never changes.
 */
export const payoutReturns: Decider<ListReturns, CountedReturns, PayoutReturnEvent> = {
  category: 'payoutReturns',
  initial: new Map(),
  events: PAYOUT_RETURN_EVENTS,
  decide({ withdrawalId, asset, paid, listed, deposited, now: listedAt }, state) {
    const counted = new Map(state);
    const events: PayoutReturnListed[] = [];
    const count = ({ returnId, amount }: ReturnedAmount, exceeds: boolean): void => {
      if (counted.has(returnId)) return;
      counted.set(returnId, { amount, exceeds });
      events.push(new PayoutReturnListed({ withdrawalId, returnId, amount, exceeds, listedAt }));
    };
    for (const one of deposited) count(one, false);
    const all = [...[...counted].map(([returnId, { amount }]) => ({ returnId, amount })), ...listed];
    const exceeds = sumOf(all, asset).compare(Money.stored(asset, paid)) > 0;
    for (const one of listed) count(one, exceeds);
    return events;
  },
  evolve(state, { data: { returnId, amount, exceeds } }) {
    return new Map([...state, [returnId, { amount, exceeds }]]);
  },
};

/** The sum of the returns. If one has several amounts, the highest counts. */
function sumOf(returns: readonly ReturnedAmount[], asset: AssetId): Money {
  const highest = new Map<string, Money>();
  for (const { returnId, amount: text } of returns) {
    const [amount, before] = [Money.stored(asset, text), highest.get(returnId)];
    if (before === undefined || amount.compare(before) > 0) highest.set(returnId, amount);
  }
  return [...highest.values()].reduce((sum, amount) => sum.plus(amount), Money.zero(asset));
}
