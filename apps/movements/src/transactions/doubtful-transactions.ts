import type { PendingTransaction } from './pending-transactions.read-model';

/**
 * How many rounds in a row must find the nonce used and our bytes in no block before a final block is queried: nodes
 * lag all the time.
 */
const REQUIRED_ROUNDS = 3;

interface Doubt {
  readonly row: PendingTransaction;
  /** Whether it was searched for since the last round, and not found. */
  missed: boolean;
  rounds: number;
}

/**
 * Transactions whose nonce is used but that are in no block: a node lags, a reorg removed them, or the key has signed
 * another transaction with the nonce.
 */
export class DoubtfulTransactions {
  private readonly doubts = new Map<string, Doubt>();

  /** The transaction was searched for and is in no block. */
  missed(row: PendingTransaction): void {
    this.doubts.set(row.id, { row, missed: true, rounds: this.doubts.get(row.id)?.rounds ?? 0 });
  }

  found(id: string): void {
    this.doubts.delete(id);
  }

  /** Ends a round. Returns the transactions that were missing in enough rounds in a row. */
  endRound(minedCount: number): PendingTransaction[] {
    const sure: PendingTransaction[] = [];
    for (const [id, doubt] of this.doubts) {
      const { row, missed } = doubt;
      doubt.missed = false;
      if (row.nonce === null || row.nonce >= minedCount) this.doubts.delete(id);
      else if (missed) {
        doubt.rounds += 1;
        if (doubt.rounds >= REQUIRED_ROUNDS) sure.push(row);
      }
    }
    return sure;
  }
}
