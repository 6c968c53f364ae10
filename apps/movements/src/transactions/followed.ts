import { LRUCache } from 'lru-cache';
import type { PendingTransaction } from './pending-transactions.read-model';

/** Followed at once. What is beyond it stays in the view until there is room. */
const MOST_FOLLOWED = 20_000;
/** Those that ended a moment ago may still be in the view. */
const REMEMBERED = 20_000;

/** Transactions that were broadcast and have not ended, as far as this process knows. */
export class Followed {
  private readonly rows = new Map<string, PendingTransaction>();
  /** Head at which a transaction that is mined already is old enough. */
  private readonly readyAt = new Map<string, number>();
  private readonly ended = new LRUCache<string, true>({ max: REMEMBERED });

  add(row: PendingTransaction): void {
    if (!this.ended.has(row.id) && this.rows.size < MOST_FOLLOWED) this.rows.set(row.id, row);
  }

  /** Those whose nonce is used, but for those that are known to be too young. */
  due(minedCount: number, headNumber: number): PendingTransaction[] {
    return [...this.rows.values()].filter(
      ({ id, nonce }) => nonce !== null && nonce < minedCount && (this.readyAt.get(id) ?? 0) <= headNumber,
    );
  }

  matures(id: string, readyAt: number): void {
    this.readyAt.set(id, readyAt);
  }

  /** What was known of its age may be wrong after a reorg. */
  forgetAge(id: string): void {
    this.readyAt.delete(id);
  }

  /** It had ended, and a reorg took that back. */
  revive(id: string): void {
    this.ended.delete(id);
  }

  end(id: string): void {
    this.rows.delete(id);
    this.readyAt.delete(id);
    this.ended.set(id, true);
  }
}
