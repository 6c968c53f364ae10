import { Unavailable } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { BlockId, Hex } from '../chain/block.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { MovementsSettings } from '../movements-settings.port';
import type { DepositTransfers, TransfersOfBlock } from '../token-deposits/deposit-transfers.port';
import type { TransferLog } from '../transfer-logs/transfer-logs.port';
import type { WalletAddresses } from '../token-deposits/wallet-addresses.read-model';
import type { EarlyDepositChecks, SearchedWallet } from './early-deposit-checks.read-model';

interface Parts {
  readonly served: ServedChain;
  readonly settings: Pick<MovementsSettings, 'chainsForget'>;
  readonly transfers: DepositTransfers;
  readonly addresses: Pick<WalletAddresses, 'of' | 'firstWalletAt'>;
  readonly checks: EarlyDepositChecks;
  readonly logger: Logger;
}

/** Requests to the nodes per round, so that a long search does not delay the scan. */
const STEPS_PER_ROUND = 10;
/**
 * Blocks recorded per round, for the same reason: anyone who can derive the address of a wallet can send dust to it in
 * thousands of blocks.
 */
const BLOCKS_PER_ROUND = 50;
/**
 * How long before the first wallet of a chain tokens may have been sent to the address of a later one. The ids of
 * accounts and wallets are not known before the service is in operation.
 */
const EARLIEST_MS = 30 * 24 * 3_600_000;

/**
 * Finds tokens that arrived at the address of a wallet before the wallet existed: the scan has passed those blocks. A
 * wallet that holds nothing and has never sent anything has missed nothing. Otherwise the blocks are searched
 * backwards, and the deposits of their blocks are recorded again. The search ends when the transfers of all its tokens
 * are found. A wallet that has sent something received more than it holds, so all blocks are searched for it.
 */
export class EarlyDeposits {
  private firstBlock: number | undefined;

  constructor(
    private readonly parts: Parts,
    /** Records the deposits of a final block. */
    private readonly record: (block: TransfersOfBlock) => Promise<void>,
  ) {}

  /**
   * Does some of the outstanding work. `final` must not be below any block that the scan has read. A failure is only
   * logged, because the scan does not depend on it; the next call continues from the same place.
   */
  async advance(final: BlockId, signal: AbortSignal): Promise<void> {
    try {
      let blocks = BLOCKS_PER_ROUND;
      for (let steps = 0; steps < STEPS_PER_ROUND && blocks > 0 && !signal.aborted; steps += 1) {
        if (await this.readBalances(final)) continue;
        const recorded = await this.searchPage(final, blocks);
        if (recorded === null) return;
        blocks -= recorded;
      }
    } catch (error) {
      const { logger, served } = this.parts;
      logger[error instanceof Unavailable ? 'warn' : 'error'](
        { err: error, chain: served.evm.chain },
        'new wallets could not be checked for earlier deposits; the next round tries again',
      );
    }
  }

  /** Returns false when there is nothing to read. */
  private async readBalances(final: BlockId): Promise<boolean> {
    const { addresses, checks, logger, served, transfers } = this.parts;
    const { chain } = served.evm;
    const unread = await checks.unread(chain);
    if (unread.length === 0) return false;
    // The scan finds transfers to listed wallets in all blocks after the final one. The others are left for later.
    const listed = await addresses.of(chain).wallets(unread.map(({ address }) => address));
    const wallets = unread.filter(({ address }) => listed.has(address));
    if (wallets.length === 0) return false;
    const holdings = await transfers.early.held(
      final,
      wallets.map(({ address }) => address),
    );
    const searched = wallets.flatMap(({ walletId, lastUnscanned }, at) => {
      const { units, isDeployed } = holdings[at] ?? { units: 0n, isDeployed: true };
      const missed = isDeployed || units > 0n;
      // The search cannot tell which of the tokens arrived in later blocks, so the balance does not end it.
      const endsByBalance = !isDeployed && lastUnscanned === null;
      return missed ? [{ walletId, next: lastUnscanned ?? final.number, missing: endsByBalance ? units : null }] : [];
    });
    if (searched.length > 0)
      logger.info(
        { chain, block: final.number, wallets: searched.map(({ walletId }) => walletId) },
        'new wallets hold or have sent tokens; earlier blocks are searched for their deposits',
      );
    await checks.search(searched);
    const ids = new Set(searched.map(({ walletId }) => walletId));
    await checks.finish(wallets.map(({ walletId }) => walletId).filter((id) => !ids.has(id)));
    return true;
  }

  /**
   * Searches one page, which ends early at the last of `most` blocks that must be recorded. Returns how many were
   * recorded; null when there is nothing to search.
   */
  private async searchPage(final: BlockId, most: number): Promise<number | null> {
    const { checks, served, transfers: nodes } = this.parts;
    const { wallets, others } = await checks.searched(served.evm.chain);
    const [any] = wallets;
    if (any === undefined) return null;
    const last = Math.min(any.next, final.number);
    const earliest = await this.earliest(final);
    if (last < earliest) {
      await checks.finish(wallets.map(({ walletId }) => walletId));
      return 0;
    }
    const page = await nodes.early.before(
      { last, most: Math.max(1, last - Math.max(others, earliest - 1)) },
      final,
      wallets.map(({ address }) => address),
    );
    const numbers = blocksOf(page.transfers);
    const recorded = numbers.slice(0, most);
    for (const number of recorded) await this.recordBlock(number, final);
    const first = (numbers.length > most ? recorded.at(-1) : undefined) ?? page.first;
    const transfers = page.transfers.filter(({ blockNumber }) => blockNumber >= first);
    const now = wallets.map((one) => ({ ...one, next: first - 1, missing: missingAfter(one, transfers) }));
    const isDone = ({ next, missing }: SearchedWallet) => next < earliest || (missing !== null && missing <= 0n);
    // The deposits are in the log by now, so a crash before or between these only repeats the page.
    await checks.search(now.filter((one) => !isDone(one)));
    await checks.finish(now.filter(isDone).map(({ walletId }) => walletId));
    this.reportUnexplained(now.filter(({ next, missing }) => next < earliest && missing !== null && missing > 0n));
    return recorded.length;
  }

  /** The first block that is searched. */
  private async earliest(final: BlockId): Promise<number> {
    const { addresses, served, settings, transfers } = this.parts;
    if (settings.chainsForget) return 0;
    if (this.firstBlock !== undefined) return this.firstBlock;
    const firstWalletAt = await addresses.firstWalletAt(served.evm.chain);
    if (firstWalletAt === null) return 0;
    return (this.firstBlock = await transfers.firstSince(firstWalletAt - EARLIEST_MS, final));
  }

  /** Records all deposits of a block, because a deposit that is left out would count as vanished. */
  private async recordBlock(number: number, final: BlockId): Promise<void> {
    const { transfers } = this.parts;
    const { blocks } = await transfers.read(number, await transfers.at(number, final));
    for (const block of blocks) await this.record(block);
  }

  private reportUnexplained(wallets: readonly SearchedWallet[]): void {
    const { logger, served } = this.parts;
    for (const { walletId, missing } of wallets)
      logger.warn(
        { chain: served.evm.chain, walletId, units: String(missing) },
        'a new wallet holds tokens, and not all of their transfers were found',
      );
  }
}

/** The blocks in which something was received, from the newest to the oldest. */
function blocksOf(transfers: readonly TransferLog[]): readonly number[] {
  const received = transfers.filter(({ units }) => units > 0n);
  return [...new Set(received.map(({ blockNumber }) => blockNumber))].sort((one, other) => other - one);
}

function missingAfter({ address, missing }: SearchedWallet, transfers: readonly TransferLog[]): bigint | null {
  const received = (to: Hex) => transfers.filter((one) => one.to === to).reduce((sum, { units }) => sum + units, 0n);
  return missing === null ? null : missing - received(address);
}
