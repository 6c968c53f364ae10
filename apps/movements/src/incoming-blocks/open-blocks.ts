import type { Chain } from '@ponte/kernel';
import { lruCache } from '@ponte/kernel';
import type { BlockId, Hex } from '../chain/chain.port';
import type { IncomingBlockReadModel } from './open-blocks.read-model';

/** A block whose deposits may still vanish. */
interface OpenBlock extends BlockId {
  confirmed: boolean;
}

/** Maximum number of blocks with deposits between the final block and the head. */
const MAX_OPEN = 5_000;
const CLOSED_REMEMBERED = 5_000;

/** The blocks of a chain whose deposits may still vanish, as this process knows them. Their rows may lag behind. */
export class OpenBlocks {
  private readonly open = new Map<Hex, OpenBlock>();
  /** Closed blocks, with the revisions of their streams at that time. */
  private readonly closed = lruCache<Hex, number>(CLOSED_REMEMBERED);

  constructor(
    private readonly table: IncomingBlockReadModel['table'],
    private readonly chain: Chain,
  ) {}

  /** Returns a copy, so it may be iterated while the set changes. */
  all(): OpenBlock[] {
    return [...this.open.values()];
  }

  clear(): void {
    this.open.clear();
    this.closed.clear();
  }

  /**
   * Adds the blocks that another process, or this one before its last start, has left open. Also a closed one whose
   * row is newer: a process that was paused, and did not know that it had lost the lease, has seen it again.
   */
  async load(): Promise<void> {
    const page = { limit: MAX_OPEN, cursor: null, createdFrom: null, createdTo: null };
    const { items } = await this.table.page({ where: { chain: this.chain, unfinished: 1 }, page });
    for (const { block_number: number, block_hash, confirmed, revision } of items) {
      const hash = block_hash as Hex;
      if (this.open.has(hash) || Number(revision) <= (this.closed.get(hash) ?? -1)) continue;
      this.open.set(hash, { number: Number(number), hash, confirmed });
    }
  }

  /** `confirmed` comes from the block's stream: a log that is found later must be confirmed too. */
  add({ number, hash }: BlockId, confirmed: boolean): void {
    this.closed.delete(hash);
    this.open.set(hash, { number, hash, confirmed });
  }

  /** `revision`: that of the block's stream. By default the block stays closed, whatever happens in its stream. */
  close(hash: Hex, revision = Infinity): void {
    this.open.delete(hash);
    this.closed.set(hash, revision);
  }
}
