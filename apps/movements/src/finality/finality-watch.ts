import { logged } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { BlockId, EvmChain, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { PendingTransactions } from '../transactions/pending-transactions.read-model';
import type { UnfinalTransaction, UnfinalTransactions } from './unfinal-transactions.read-model';
import { sentIn } from '../transactions/chain-transaction.state';
import type { ChainTransactions, Trace } from '../transactions/chain-transactions';
import type { KeyFinalities } from '../signer-key/key-finalities';
import type { Sender } from '../sending/sender';

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

/** Transactions checked per round: more than 13 minutes of one order per second. */
const AT_ONCE = 5_000;
/** Receipts per query of a final block. */
const RECEIPTS = 100;
/** How many rounds in a row must find a confirmed transaction in no block before a reorg is recorded: nodes lag. */
const ROUNDS_TO_BE_SURE = 3;

/**
 * Watches confirmed transactions until they are final. When the chain waits for the nonce of one, its bytes are sent
 * again at once, because no later nonce can be mined before. When it is certain that none of its bytes is in a block
 * any more, `ReorgedAfterCompletion` is recorded.
 */
export class FinalityWatch {
  /**
   * The highest watched block that was seen in the chain. While it is in the chain, so are the checked blocks below it.
   */
  private highestSeen: BlockId | undefined;
  private seenHashes = new Set<string>();
  private readonly missing = new Map<string, number>();
  /** The hashes under which displaced transactions are mined now: any of the signed bytes may be. */
  private readonly minedAs = new Map<string, Hex>();
  private readonly final = new Set<string>();

  private readonly evm: EvmChain;

  constructor(private readonly parts: FinalityWatchParts) {
    this.evm = parts.served.evm;
    // Starts at zero, so that the first reorg is visible as an increase.
    parts.metrics.counter('ponte_reorgs_after_completion_total', { chain: parts.served.evm.chain });
    parts.metrics.counter('ponte_transactions_lost_total', { chain: parts.served.evm.chain });
  }

  /** Rejects with `Unavailable` when the node does not answer. Everything recorded before that remains. */
  async round(): Promise<void> {
    const { unfinal, isResponsibleFor } = this.parts;
    const all = (await unfinal.of(this.evm.chain, AT_ONCE)).filter(({ id }) => !this.final.has(id));
    const ours = new Set<Hex>();
    for (const sender of new Set(all.map((row) => row.sender))) if (await isResponsibleFor(sender)) ours.add(sender);
    const rows = all.filter((row) => ours.has(row.sender));
    if (rows.length === 0) return this.forget();
    await this.takenBack(await this.displaced(rows));
    for (const sender of new Set(rows.map((row) => row.sender)))
      await this.finalize(
        sender,
        rows.filter((row) => row.sender === sender),
      );
  }

  private forget(): void {
    [this.highestSeen, this.seenHashes] = [undefined, new Set()];
    this.missing.clear();
    this.minedAs.clear();
    this.final.clear();
  }

  /** The transactions whose block is not in the node's current chain. While nothing changes, a round takes one call. */
  private async displaced(rows: readonly UnfinalTransaction[]): Promise<UnfinalTransaction[]> {
    const stands = async ({ number, hash }: BlockId): Promise<boolean> =>
      (await this.evm.blockAt(number))?.hash === hash;
    if (this.highestSeen === undefined || !(await stands(this.highestSeen)))
      [this.highestSeen, this.seenHashes] = [undefined, new Set()];
    const displaced = new Set<string>();
    const blocks = new Map(rows.map(({ blockNumber: number, blockHash: hash }) => [hash, { number, hash }]));
    for (const block of blocks.values()) {
      if (this.seenHashes.has(block.hash)) continue;
      if (!(await stands(block))) displaced.add(block.hash);
      else {
        this.seenHashes.add(block.hash);
        if (block.number > (this.highestSeen?.number ?? -1)) this.highestSeen = block;
      }
    }
    for (const { id } of rows.filter(({ blockHash }) => !displaced.has(blockHash))) {
      this.missing.delete(id);
      this.minedAs.delete(id);
    }
    return rows.filter(({ blockHash }) => displaced.has(blockHash));
  }

  private async takenBack(rows: readonly UnfinalTransaction[]): Promise<void> {
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
    if (minedAs !== undefined) {
      this.missing.delete(id);
      this.minedAs.set(id, minedAs);
      return;
    }
    this.minedAs.delete(id);
    const rounds = (this.missing.get(id) ?? 0) + 1;
    this.missing.set(id, rounds);
    if (rounds < ROUNDS_TO_BE_SURE) return;
    logger.error(
      { ...logged(row), transactionId: id, chain: this.evm.chain, txHash, blockNumber: row.blockNumber },
      'a reorg removed a completed transaction',
    );
    revive(id);
    const step = `reorg ${(sent?.reorgs ?? 0) + 1}`;
    await transactions.carryOut(id, (at) => ({ kind: 'reorg', blockHash, at }), step, traceOf(row));
    metrics.counter('ponte_reorgs_after_completion_total', { chain: this.evm.chain }).inc();
    this.missing.delete(id);
  }

  private async firstMined(hashes: readonly Hex[]): Promise<Hex | undefined> {
    for (const hash of new Set(hashes)) if (await this.evm.minedAnywhere(hash)) return hash;
    return undefined;
  }

  /**
   * Records up to which nonce all transactions of the key are final. An unfinished transaction limits that, and is
   * checked again in the next round.
   */
  private async finalize(sender: Hex, rows: readonly UnfinalTransaction[]): Promise<void> {
    const { pending, finalities } = this.parts;
    const { block: last } = await this.evm.atFinality({ sender, hashes: [], reference: null });
    for (let at = 0; at < rows.length; at += RECEIPTS) {
      const page = rows.slice(at, at + RECEIPTS);
      if (page.every(({ blockNumber }) => blockNumber > last.number)) return;
      const { block, receipts, minedCount } = await this.evm.atFinality({
        sender,
        hashes: page.map((row) => this.hashOf(row)),
        reference: null,
      });
      const succeeded = new Set(receipts.filter((receipt) => receipt.succeeded).map(({ hash }) => hash));
      const isFinal = (row: UnfinalTransaction): boolean => succeeded.has(this.hashOf(row)) && row.nonce < minedCount;
      for (const row of page) if (isFinal(row)) this.final.add(row.id);
      // A final block lacks it, though a node had its own block: the nodes may differ. Check all blocks again.
      const isSeen = (row: UnfinalTransaction): boolean => this.seenHashes.has(row.blockHash);
      if (page.some((row) => row.blockNumber <= block.number && isSeen(row) && !isFinal(row)))
        this.highestSeen = undefined;
      const first = page.findIndex((row) => !isFinal(row));
      const all = first === -1 ? page : page.slice(0, first);
      const highest = all.at(-1);
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
      if (first !== -1) return;
    }
  }

  private hashOf = ({ id, txHash }: UnfinalTransaction): Hex => this.minedAs.get(id) ?? txHash;
}

const traceOf = ({ correlationId }: UnfinalTransaction): Trace => ({ correlationId, actor: 'chain-watcher' });
