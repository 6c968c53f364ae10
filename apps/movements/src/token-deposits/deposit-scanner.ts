import type { Aggregates, EventStore } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { BlockId, EvmChain, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import type { DepositCursors } from './deposit-cursors.read-model';
import type { DepositTransfers } from './deposit-transfers.port';
import type { EarlyDepositChecks } from '../early-deposits/early-deposit-checks.read-model';
import { EarlyDeposits } from '../early-deposits/early-deposits';
import { DepositRescans } from '../deposit-rescans/deposit-rescans';
import { IncomingBlocks } from '../incoming-blocks/incoming-blocks';
import { afterBlock, FirstDepositBlock } from './first-deposit-block';
import { OpenBlocks } from '../incoming-blocks/open-blocks';
import type { IncomingBlockReadModel } from '../incoming-blocks/open-blocks.read-model';
import type { WalletAddresses } from './wallet-addresses.read-model';

interface ScannerParts {
  readonly served: ServedChain;
  readonly settings: Pick<MovementsSettings, 'chainsForget'>;
  readonly transfers: DepositTransfers;
  readonly addresses: WalletAddresses;
  readonly cursors: DepositCursors;
  readonly checks: EarlyDepositChecks;
  readonly blocks: IncomingBlockReadModel['table'];
  readonly aggregates: Aggregates;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/**
 * Reads one chain for deposits: final blocks once, up to a durable cursor, and later blocks for deposits that may still
 * vanish. Runs one round at a time.
 */
export class DepositScanner {
  private readonly transfers: DepositTransfers;
  private cursor: BlockId | null | undefined;
  private readonly first: FirstDepositBlock;
  private readonly rescans: DepositRescans;
  /** The last block above the final one that was read; undefined when all of them must be read. */
  private seen: BlockId | undefined;
  /** The newest block to which the last round has read the chain. */
  private readTo = -1;
  private readonly open: OpenBlocks;
  private readonly incoming: IncomingBlocks;
  private readonly early: EarlyDeposits;
  private readonly evm: EvmChain;

  constructor(private readonly parts: ScannerParts) {
    this.evm = parts.served.evm;
    this.transfers = parts.transfers;
    this.first = new FirstDepositBlock(this.evm.chain, parts.store, parts.addresses);
    this.rescans = new DepositRescans(parts, (final) => this.firstBlock(final));
    this.open = new OpenBlocks(parts.blocks, parts.served.evm.chain);
    this.incoming = new IncomingBlocks(parts, this.open);
    this.early = new EarlyDeposits(parts, (block) => this.incoming.recordDeposits(block, 'finalize'));
  }

  /** Blocks between the cursor and the newest block that any node considers final. */
  get lag(): number {
    return this.cursor ? Math.max(0, this.transfers.highestNamed - this.cursor.number) : this.transfers.highestNamed;
  }

  /** Whether a round would find something to do on a chain whose newest block is this one. */
  async hasWork(newest: number): Promise<boolean> {
    if (this.readTo < newest || (await this.rescans.requested()) !== null) return true;
    return this.parts.checks.areOutstanding(this.evm.chain);
  }

  /** Clears the cached state: another process may have scanned in the meantime. */
  begin(): void {
    this.cursor = this.seen = undefined;
    this.open.clear();
  }

  /**
   * Rejects with `Unavailable` when nodes do not answer or do not agree; the next round continues from the same block.
   * When the signal aborts, it ends between two pages.
   */
  async round(signal: AbortSignal): Promise<void> {
    this.readTo = -1;
    const final = await this.transfers.final();
    await this.open.load();
    await this.readFinal(final, signal);
    try {
      if (!signal.aborted) await this.readHead(final, signal);
    } finally {
      // Final blocks are enough for it, even when the newest cannot be read. While the nodes lag behind the cursor, the
      // balances at their final block leave out blocks that were read.
      if (this.cursor && this.cursor.number <= final.number) await this.early.advance(final, signal);
    }
  }

  private async readFinal(final: BlockId, signal: AbortSignal): Promise<void> {
    const { addresses, checks, cursors, settings } = this.parts;
    const rescan = await this.rescans.requested();
    const cursor = rescan === null ? await this.cursorIn(final) : null;
    if (cursor !== null && cursor.number >= final.number) return;
    // A wallet is in the log before its address is shown, so each recipient that was told to anyone is in it now.
    // `EarlyDeposits` finds tokens that were sent to an address before.
    await addresses.catchUp(signal);
    // Every open block at or below the final one is decided now, even one that an earlier scan left open.
    const lowest = Math.min(final.number, ...this.open.all().map(({ number }) => number));
    const next = rescan === null ? await this.afterCursor(cursor, final) : await this.rescans.first(rescan, final);
    if (rescan !== null) this.cursor = null;
    const first = Math.min(lowest, next);
    // Before the first page: after a crash, the cursor still shows that the scan starts here.
    if (rescan === null && cursor === null && !settings.chainsForget) await checks.scannedFrom(this.evm.chain, first);
    for (let from = first; from <= final.number && !signal.aborted;) {
      const { end, blocks } = await this.transfers.read(from, final);
      for (const block of blocks) await this.incoming.recordDeposits(block, 'finalize');
      const presentHashes = new Set(blocks.map(({ hash }) => hash));
      // At a final height, any other block has left the chain permanently.
      for (const { number, hash } of this.open.all())
        if (number <= end.number && number >= from && !presentHashes.has(hash)) await this.incoming.end(hash);
      if (!this.cursor || this.cursor.number < end.number) {
        await cursors.put(this.evm.chain, end);
        this.cursor = end;
      }
      if (rescan !== null && from === first) await this.rescans.begun(rescan);
      from = end.number + 1;
    }
  }

  private async afterCursor(cursor: BlockId | null, final: BlockId): Promise<number> {
    return cursor === null ? this.firstBlock(final) : afterBlock(cursor);
  }

  /** Null when the chain must be read from its beginning. Throws when a final block was replaced. */
  private async cursorIn(final: BlockId): Promise<BlockId | null> {
    const { cursors, settings, logger } = this.parts;
    this.cursor ??= await cursors.of(this.evm.chain);
    if (this.cursor === null) return null;
    // The nodes lag behind the cursor. The cursor is checked when they have caught up.
    if (this.cursor.number > final.number && !settings.chainsForget) return this.cursor;
    const found = this.cursor.number > final.number ? null : await this.transfers.at(this.cursor.number, final);
    if (found?.hash === this.cursor.hash) return this.cursor;
    if (!settings.chainsForget) {
      logger.error(
        { chain: this.evm.chain, block: this.cursor.number, expected: this.cursor.hash, found: found?.hash },
        'a final block was replaced: no deposits are read on this chain until an operator has intervened',
      );
      throw new Unavailable('chain-unavailable', `final block ${this.cursor.number} was replaced`);
    }
    this.begin();
    return (this.cursor = null);
  }

  /** A chain that may lose its blocks is short, so it is read from the start. */
  private async firstBlock(final: BlockId): Promise<number> {
    return this.parts.settings.chainsForget ? 0 : this.first.find(this.transfers, final);
  }

  /** Reads the blocks that may still be replaced. */
  private async readHead(final: BlockId, signal: AbortSignal): Promise<void> {
    const head = await this.transfers.head();
    if (head.number <= final.number) {
      this.seen = undefined;
      this.readTo = final.number;
      return;
    }
    const isContinued =
      this.seen !== undefined &&
      this.seen.number <= head.number &&
      (await this.transfers.at(this.seen.number, head)).hash === this.seen.hash;
    const first = isContinued && this.seen ? Math.max(this.seen.number, final.number) + 1 : final.number + 1;
    const presentHashes = new Set<Hex>();
    for (let from = first; from <= head.number;) {
      if (signal.aborted) return;
      const { end, blocks } = await this.transfers.read(from, head);
      for (const block of blocks) {
        await this.incoming.recordDeposits(block, 'see');
        presentHashes.add(block.hash);
      }
      from = end.number + 1;
    }
    for (const { number, hash } of this.open.all())
      if (number >= first && number <= head.number && !presentHashes.has(hash)) await this.incoming.end(hash);
    this.seen = head;
    await this.incoming.confirm(head);
    this.readTo = head.number;
  }
}
