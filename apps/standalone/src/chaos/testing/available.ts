import type { Hold, Posting } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';

interface Moving {
  readonly postings?: readonly Posting[];
  readonly hold?: Hold;
  readonly deliveryHold?: Hold | null;
  readonly holdId?: string | null;
}
/** Events that close the hold with their `holdId`. */
const CLOSING = new Set([
  'HoldReleased',
  'TokenMovementPosted',
  'ExchangePosted',
  'WithdrawalPosted',
  'DepositReversed',
]);
const OPENING = new Set(['HoldPlaced', 'DepositPostedAndHeld', 'ExchangePosted']);

/** Finds the positions in the log at which an account's available balance (balance minus holds) is negative. */
export function availableFaults(log: readonly Recorded[]): string[] {
  const available = new Map<string, Money>();
  const holds = new Map<string, { readonly line: string; readonly amount: Money }>();
  const faults: string[] = [];
  for (const { stream, type, position, data } of log) {
    const { postings = [], hold, deliveryHold, holdId } = data as Moving;
    const touched = new Set<string>();
    const move = (line: string, by: Money): void => {
      touched.add(line);
      available.set(line, available.get(line)?.plus(by) ?? by);
    };
    for (const { account, asset, amount } of postings)
      if (account.startsWith('customer:')) move(`${account} ${asset}`, Money.stored(asset, amount));
    const closed = CLOSING.has(type) && holdId ? holds.get(holdId) : undefined;
    if (closed) {
      holds.delete(holdId ?? '');
      move(closed.line, closed.amount);
    }
    const opened = OPENING.has(type) ? (hold ?? deliveryHold) : undefined;
    if (opened) {
      const amount = Money.stored(opened.asset as AssetId, opened.amount);
      const line = `customer:${stream.replace('ledgerAccount-', '')} ${opened.asset}`;
      holds.set(opened.holdId, { line, amount });
      move(line, Money.zero(opened.asset as AssetId).minus(amount));
    }
    for (const line of touched)
      if (available.get(line)?.isNegative())
        faults.push(`${line} is ${available.get(line)?.toString()} at ${position}`);
  }
  return faults;
}
