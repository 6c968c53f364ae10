import type { LedgerAccountEvent, Posting } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { Money } from '@ponte/kernel';
import type { AssetId } from '@ponte/kernel';
import type { FxDay } from '../reports/fx-day';
import { addedUp, fxTradeOf } from '../reports/fx-day';
import type { ForgottenHold } from './trial-balance.port';

/** What a run of the log does to holds and books, so that the tables are written once for all of it. */
export class SliceEffect {
  /** Holds that were placed and did not end within the run. */
  readonly placed = new Map<string, ForgottenHold>();
  /** Holds of before the run that ended in it. */
  readonly ended = new Set<string>();
  /** What was traded with the treasury, by day and token. */
  readonly trades = new Map<string, FxDay>();
  private readonly changes = new Map<string, { readonly account: string; readonly asset: AssetId; minor: bigint }>();

  add(event: Recorded<LedgerAccountEvent>): void {
    const { accountId } = event.data;
    switch (event.type) {
      case 'HoldPlaced': {
        const {
          hold: { holdId, owner, asset, amount },
          placedAt,
        } = event.data;
        this.placed.set(holdId, { holdId, owner, asset, amount, accountId, placedAt });
        return;
      }
      case 'HoldReleased':
        return this.end(event.data.holdId);
      // The held payment of a charge is no one's to forget: it ends posted or sent back.
      case 'DepositPostedAndHeld':
      case 'DepositPosted':
      case 'HouseLossPosted':
      case 'HouseLossReversed':
        return this.post(event.data.postings);
      case 'ExchangePosted':
        this.end(event.data.holdId);
        this.trade(fxTradeOf(event.data));
        return this.post(event.data.postings);
      case 'TokenMovementPosted':
      case 'WithdrawalPosted':
      case 'DepositReversed':
        if (event.data.holdId !== null) this.end(event.data.holdId);
        return this.post(event.data.postings);
    }
  }

  /** By how much each line of the books changes, in minor units. */
  lines(): readonly { readonly account: string; readonly asset: AssetId; readonly minor: bigint }[] {
    return [...this.changes.values()];
  }

  private trade(trade: FxDay | undefined): void {
    if (!trade) return;
    const key = `${trade.day} ${trade.asset}`;
    const known = this.trades.get(key);
    this.trades.set(key, known ? addedUp(known, trade) : trade);
  }

  private end(holdId: string): void {
    if (!this.placed.delete(holdId)) this.ended.add(holdId);
  }

  private post(postings: readonly Posting[]): void {
    for (const { account, asset, amount } of postings) {
      const key = `${account} ${asset}`;
      const { minor } = Money.stored(asset, amount);
      const line = this.changes.get(key);
      if (line) line.minor += minor;
      else this.changes.set(key, { account, asset, minor });
    }
  }
}
