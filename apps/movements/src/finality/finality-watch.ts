import { logged } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { EvmChain, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { PendingTransactions } from '../transactions/pending-transactions.read-model';
import type { UnfinalTransaction, UnfinalTransactions } from './unfinal-transactions.read-model';
import { sentIn } from '../transactions/chain-transaction.state';
import type { ChainTransactions, Trace } from '../transactions/chain-transactions.service';
import type { KeyFinalities } from '../signer-key/key-finalities.service';
import type { Sender } from '../sending/sender.service';
import { Contradictions } from './contradictions';
import { CanonicalBlocks } from './canonical-blocks';
import { WatchedTransactions } from './watched-transactions';

export interface FinalityWatchParts {
  readonly served: ServedChain;
  readonly unfinal: UnfinalTransactions;
  readonly pending: PendingTransactions;
  readonly transactions: ChainTransactions;
  readonly finalities: KeyFinalities;
  readonly sender: Sender;
  /** The operator key whose sender sends the transactions again. */
  readonly keyId: string;
  /** Whether this watch is responsible for transactions of the sender. */
  readonly isResponsibleFor: (sender: Hex) => Promise<boolean>;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Called when a reorg has removed the transaction and it must be followed again. */
  readonly revive: (transactionId: string) => void;
}

/** Transactions that are read from the read model at once. */
const AT_ONCE = 5_000;
/** Receipts per query of a final block. */
const RECEIPTS = 100;
/** How many rounds in a row must find a confirmed transaction in no block before a reorg is recorded: nodes lag. */
const REQUIRED_ROUNDS = 3;

/**
 * Watches confirmed transactions until they are final. When the chain waits for the nonce of one, its bytes are sent
 * again at once, because no later nonce can be mined before. When it is certain that none of its bytes is in a block
 * any more, `ReorgedAfterCompletion` is recorded.
 */
export class FinalityWatch {
  private readonly blocks: CanonicalBlocks;
  private readonly watched: WatchedTransactions;
  private readonly contradictions: Contradictions;
  private readonly evm: EvmChain;

  constructor(private readonly parts: FinalityWatchParts) {
    this.evm = parts.served.evm;
    this.blocks = new CanonicalBlocks(this.evm);
    this.watched = new WatchedTransactions({ ...parts, evm: this.evm });
    this.contradictions = new Contradictions({ ...parts, evm: this.evm, watched: this.watched });
    const { metrics } = parts;
    const { chain } = this.evm;
    // These start at zero, so that the first event is visible as an increase.
    metrics.counter('ponte_reorgs_after_completion_total', { chain });
    metrics.counter('ponte_transactions_lost_total', { chain });
    metrics.counter('ponte_references_misused_total', { chain });
  }

  /** How many blocks and results of checks are remembered. */
  get remembered(): number {
    return this.blocks.remembered + this.watched.remembered;
  }

  /**
   * Looks for reorgs first: while the nodes do not agree on a final block, removed transactions are sent again
   * anyway. Rejects with `Unavailable` when the node does not answer. Everything recorded before that remains.
   */
  async round(): Promise<void> {
    this.watched.begin();
    const senders = await this.watched.senders();
    let isEmpty = true;
    for (const sender of senders)
      for await (const rows of this.watched.pages(sender, AT_ONCE)) {
        if (isEmpty) await this.blocks.begin();
        isEmpty = false;
        await this.checkDisplaced(await this.displaced(rows));
      }
    this.blocks.keep(this.watched.keepRead());
    if (isEmpty) {
      this.blocks.invalidate();
      this.watched.forget();
    }
    for (const sender of isEmpty ? [] : senders) await this.finalize(sender);
  }

  /** The transactions whose block is not in the node's current chain. */
  private async displaced(rows: readonly UnfinalTransaction[]): Promise<readonly UnfinalTransaction[]> {
    const displaced = new Set(await this.blocks.displaced(rows));
    for (const row of rows) if (!displaced.has(row)) this.watched.noteCanonical(row);
    return [...displaced];
  }

  private async checkDisplaced(rows: readonly UnfinalTransaction[]): Promise<void> {
    const { sender, keyId, logger } = this.parts;
    const counts = new Map<Hex, number>();
    for (const row of rows) {
      const minedCount = counts.get(row.sender) ?? (await this.evm.nextNonce(row.sender, 'latest'));
      counts.set(row.sender, minedCount);
      if (row.nonce >= minedCount) sender.send(this.evm.chain, keyId, row.id, traceOf(row));
      try {
        await this.check(row);
      } catch (error) {
        logger[error instanceof Unavailable ? 'warn' : 'error'](
          { ...logged(row), err: error, transactionId: row.id },
          'cannot find out whether a reorg removed a transaction',
        );
      }
    }
  }

  private async check(row: UnfinalTransaction): Promise<void> {
    const { transactions, metrics, logger, revive } = this.parts;
    const { id, txHash, blockHash } = row;
    const sent = sentIn(await transactions.load(id));
    const minedAs = await this.firstMined([txHash, ...(sent?.attempts ?? []).map((attempt) => attempt.txHash as Hex)]);
    if (minedAs !== undefined) return this.watched.noteMinedAs(row, minedAs);
    if (this.watched.countMissing(row) < REQUIRED_ROUNDS) return;
    logger.error(
      { ...logged(row), transactionId: id, chain: this.evm.chain, txHash, blockNumber: row.blockNumber },
      'a reorg removed a completed transaction',
    );
    revive(id);
    const step = `reorg ${(sent?.reorgs ?? 0) + 1}`;
    await transactions.execute(id, (at) => ({ kind: 'reorg', blockHash, at }), step, traceOf(row));
    metrics.counter('ponte_reorgs_after_completion_total', { chain: this.evm.chain }).inc();
    this.watched.noteCanonical(row);
  }

  private async firstMined(hashes: readonly Hex[]): Promise<Hex | undefined> {
    for (const hash of new Set(hashes)) if (await this.evm.minedAnywhere(hash)) return hash;
    return undefined;
  }

  /**
   * Records up to which nonce all transactions of the key are final. An unfinished transaction limits that, and is
   * checked again in the next round.
   */
  private async finalize(sender: Hex): Promise<void> {
    const { block: last } = await this.evm.atFinality({ sender, hashes: [], reference: null });
    for await (const page of this.watched.pages(sender, RECEIPTS)) {
      if (page.every(({ blockNumber }) => blockNumber > last.number)) return;
      if (!(await this.areFinal(sender, page))) return;
    }
  }

  /** Records the final ones. Returns whether all of them are. */
  private async areFinal(sender: Hex, page: readonly UnfinalTransaction[]): Promise<boolean> {
    const { pending, finalities } = this.parts;
    const { block, receipts, minedCount } = await this.evm.atFinality({
      sender,
      hashes: page.map(this.watched.hashOf),
      reference: null,
    });
    const succeeded = new Set(receipts.filter((receipt) => receipt.succeeded).map(({ hash }) => hash));
    const isFinal = (row: UnfinalTransaction): boolean =>
      succeeded.has(this.watched.hashOf(row)) && row.nonce < minedCount;
    for (const row of page) if (isFinal(row)) this.watched.noteFinal(row);
    // A final block lacks it, though a node has it: the nodes may differ. Check all blocks again.
    const wasSeenMined = (row: UnfinalTransaction): boolean => this.blocks.has(row) || this.watched.wasMined(row);
    const lacking = page.filter((row) => row.blockNumber <= block.number && !isFinal(row) && wasSeenMined(row));
    if (lacking.length > 0) this.blocks.invalidate();
    const first = page.findIndex((row) => !isFinal(row));
    const highest = (first === -1 ? page : page.slice(0, first)).at(-1);
    if (highest) {
      const lowest = await pending.lowest(this.evm.chain, sender);
      const below = Math.min(highest.nonce + 1, lowest ?? Number.POSITIVE_INFINITY);
      await finalities.record({
        chain: this.evm.chain,
        address: sender,
        below,
        blockNumber: String(block.number),
        blockHash: block.hash,
      });
    }
    await this.contradictions.check(sender, lacking);
    return first === -1;
  }
}

const traceOf = ({ correlationId }: UnfinalTransaction): Trace => ({ correlationId, actor: 'chain-watcher' });
