import { logged } from '@ponte/event-sourcing';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { EvmChain, Hex } from '../chain/chain.port';
import { sentIn } from '../transactions/chain-transaction.state';
import type { ChainTransactions } from '../transactions/chain-transactions.service';
import type { UnfinalTransaction } from './unfinal-transactions.read-model';
import type { WatchedTransactions } from './watched-transactions';

interface ContradictionsParts {
  readonly evm: Pick<EvmChain, 'chain' | 'atFinality'>;
  readonly transactions: Pick<ChainTransactions, 'load'>;
  readonly watched: WatchedTransactions;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

/** How many rounds in a row must find a contradiction before it is reported: nodes lag. */
const REQUIRED_ROUNDS = 3;
/** Transactions that are checked in a round. A node on a fork may have thousands that the others lack. */
const AT_ONCE = 20;

/**
 * Reports completed transactions that a node has in a block, and that the final block of two others, or of the only
 * one, lacks: that node is on a fork or its answers are wrong. Nothing else shows it, because completions rest on the
 * word of one node.
 */
export class Contradictions {
  constructor(private readonly parts: ContradictionsParts) {
    // Starts at zero, so that the first one is visible as an increase.
    this.counter();
  }

  /** To be called at most once in a round for each transaction: those that a final block above theirs seems to lack. */
  async check(sender: Hex, suspects: readonly UnfinalTransaction[]): Promise<void> {
    const { evm, watched, logger } = this.parts;
    const rows = suspects.slice(0, AT_ONCE);
    if (rows.length === 0) return;
    const hashes = new Map<string, readonly Hex[]>();
    for (const row of rows) hashes.set(row.id, await this.hashesOf(row));
    const { block, receipts, minedCount } = await evm.atFinality({
      sender,
      hashes: [...hashes.values()].flat(),
      reference: null,
    });
    const succeeded = new Set(receipts.filter((receipt) => receipt.succeeded).map(({ hash }) => hash));
    for (const row of rows) {
      const { id, nonce, txHash, blockNumber, blockHash } = row;
      if (blockNumber > block.number || hashes.get(id)?.some((hash) => succeeded.has(hash))) continue;
      if (watched.countContradiction(row) < REQUIRED_ROUNDS) continue;
      this.counter().inc();
      if (!watched.isFirstReport(row)) continue;
      logger.error(
        {
          ...logged(row),
          ...{ transactionId: id, chain: evm.chain, sender, nonce, txHash, blockNumber, blockHash },
          ...{ finalBlock: block, minedCount },
        },
        'a completed transaction is not in the final chain of the nodes that agree',
      );
    }
  }

  /** All hashes under which it was sent: any of the signed bytes may be mined. */
  private async hashesOf({ id, txHash }: UnfinalTransaction): Promise<readonly Hex[]> {
    const attempts = sentIn(await this.parts.transactions.load(id))?.attempts ?? [];
    return [...new Set([txHash, ...attempts.map((attempt) => attempt.txHash as Hex)])];
  }

  private counter() {
    return this.parts.metrics.counter('ponte_final_contradictions_total', { chain: this.parts.evm.chain });
  }
}
