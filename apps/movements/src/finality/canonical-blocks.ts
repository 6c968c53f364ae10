import type { BlockId, EvmChain } from '../chain/chain.port';
import type { UnfinalTransaction } from './unfinal-transactions.read-model';

/** Remembers which blocks of watched transactions are in the node's current chain. */
export class CanonicalBlocks {
  /**
   * The highest watched block that was seen in the chain. While it is in the chain, so are the checked blocks below it.
   */
  private highest: BlockId | undefined;
  private seen = new Set<string>();

  constructor(private readonly evm: Pick<EvmChain, 'blockAt'>) {}

  /** How many blocks are remembered. */
  get remembered(): number {
    return this.seen.size;
  }

  /** Begins a round. While nothing has changed, the whole round takes this one call to the node. */
  async begin(): Promise<void> {
    if (this.highest === undefined || !(await this.isCanonical(this.highest))) this.forget();
  }

  /** The transactions whose block is not in the node's current chain. */
  async displaced(rows: readonly UnfinalTransaction[]): Promise<UnfinalTransaction[]> {
    const displaced = new Set<string>();
    const blocks = new Map(rows.map(({ blockNumber: number, blockHash: hash }) => [hash, { number, hash }]));
    for (const block of blocks.values()) {
      if (this.seen.has(block.hash)) continue;
      if (!(await this.isCanonical(block))) displaced.add(block.hash);
      else {
        this.seen.add(block.hash);
        if (block.number > (this.highest?.number ?? -1)) this.highest = block;
      }
    }
    return rows.filter(({ blockHash }) => displaced.has(blockHash));
  }

  /** Whether the transaction's block was in the chain when it was last checked. */
  has = ({ blockHash }: UnfinalTransaction): boolean => this.seen.has(blockHash);

  /** All blocks are checked again in the next round. */
  invalidate(): void {
    this.highest = undefined;
  }

  /** Forgets all other blocks. */
  keep(hashes: ReadonlySet<string>): void {
    for (const hash of this.seen) if (!hashes.has(hash)) this.seen.delete(hash);
  }

  private forget(): void {
    [this.highest, this.seen] = [undefined, new Set()];
  }

  private async isCanonical({ number, hash }: BlockId): Promise<boolean> {
    return (await this.evm.blockAt(number))?.hash === hash;
  }
}
