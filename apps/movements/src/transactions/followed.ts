import { lruCache } from '@ponte/kernel';
import type { PendingTransaction } from './pending-transactions.read-model';

/** Maximum number of followed transactions. Others stay in the read model until there is room. */
const MAX_FOLLOWED = 20_000;
/** Number of ended transactions to remember. */
const REMEMBERED = 20_000;

/** Transactions that were broadcast and have not ended, as far as this process knows. */
export class Followed {
  private readonly rows = new Map<string, PendingTransaction>();
  /** The head number at which a mined transaction has enough confirmations. */
  private readonly readyAt = new Map<string, number>();
  /**
   * Transactions that ended in this round and in the last one: they may still be in the read model for a moment. Later
   * they may be in it again, because a reorg removed them, which another process may have recorded.
   */
  private ended = lruCache<string, true>(REMEMBERED);
  private endedBefore = lruCache<string, true>(REMEMBERED);

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  add(row: PendingTransaction): void {
    if (this.ended.has(row.id) || this.endedBefore.has(row.id)) return;
    if (this.rows.size < MAX_FOLLOWED) this.rows.set(row.id, row);
  }

  /**
   * Forgets which transactions had ended before the last round, and what is ready only after the head with the number
   * `latest`: a node has named a wrong block.
   */
  endRound(latest: number): void {
    [this.ended, this.endedBefore] = [lruCache<string, true>(REMEMBERED), this.ended];
    for (const [id, readyAt] of this.readyAt) if (readyAt > latest) this.readyAt.delete(id);
  }

  /** Transactions whose nonce is used, without those that are known to have too few confirmations. */
  due(minedCount: number, headNumber: number): PendingTransaction[] {
    return [...this.rows.values()].filter(
      ({ id, nonce }) => nonce !== null && nonce < minedCount && (this.readyAt.get(id) ?? 0) <= headNumber,
    );
  }

  matures(id: string, readyAt: number): void {
    this.readyAt.set(id, readyAt);
  }

  /** Forgets `readyAt`, which may be wrong after a reorg. */
  forgetAge(id: string): void {
    this.readyAt.delete(id);
  }

  /** Allows a transaction that had ended to be followed again, after a reorg removed it. */
  revive(id: string): void {
    this.ended.delete(id);
    this.endedBefore.delete(id);
  }

  end(id: string): void {
    this.rows.delete(id);
    this.readyAt.delete(id);
    this.ended.set(id, true);
  }
}
