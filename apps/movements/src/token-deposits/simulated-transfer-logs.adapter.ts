import type { AssetId } from '@ponte/kernel';
import { SELECTORS } from '../chain/adapters/rpc/abi';
import { walletAddress } from '../chain/adapters/custody';
import type { Deployment } from '../chain/adapters/deployment';
import type { SimulatedBlock, SimulatedBlocks } from '../chain/adapters/simulated/simulated-blocks';
import { addressIn, selectorIn, wordsIn } from '../chain/adapters/rpc/words';
import type { BlockId, Hex } from '../chain/chain.port';
import type { LogNode, LoggedTransaction, TransferLog } from './transfer-logs.port';

type Answer = <T>(read: () => T) => Promise<T>;
type Finality = { finalBlock(): Promise<BlockId> };

const ZERO_ADDRESS: Hex = `0x${'0'.repeat(40)}`;

/** Logs of a simulated chain, read from what its transactions called. */
export class SimulatedLogNode implements LogNode {
  constructor(
    private readonly blocks: SimulatedBlocks,
    private readonly deployment: Deployment,
    private readonly chain: Finality,
    private readonly answer: Answer,
  ) {}

  headBlock(): Promise<BlockId> {
    return this.answer(() => ({ number: this.blocks.head.number, hash: this.blocks.head.hash }));
  }

  finalBlock(): Promise<BlockId> {
    return this.chain.finalBlock();
  }

  blockWithTime(number: number): Promise<(BlockId & { readonly time: number }) | null> {
    return this.answer(() => {
      const block = this.blocks.at(number);
      return block ? { number, hash: block.hash, time: block.time } : null;
    });
  }

  transferLogs(from: number, to: number, recipients: readonly Hex[] | null): Promise<readonly TransferLog[]> {
    const wanted = recipients && new Set(recipients);
    return this.answer(() => {
      const found: TransferLog[] = [];
      for (let number = from; number <= to; number += 1) {
        const block = this.blocks.at(number);
        if (block) found.push(...this.logsIn(block).filter((log) => wanted?.has(log.to) ?? true));
      }
      return found;
    });
  }

  loggedTransaction(txHash: Hex): Promise<LoggedTransaction | null> {
    return this.answer(() => {
      const block = this.blocks.blockWith(txHash);
      const mined = block?.transactions.find(({ hash }) => hash === txHash);
      if (!block || mined?.reason !== null) return null;
      const logIndices = this.logsIn(block)
        .filter((log) => log.txHash === txHash)
        .map(({ logIndex }) => logIndex);
      return { sender: mined.sender, blockHash: block.hash, logIndices };
    });
  }

  private logsIn({ number, hash: blockHash, transactions }: SimulatedBlock): TransferLog[] {
    const made = transactions.flatMap((one) => {
      const transfer =
        one.reason === null && one.to !== undefined ? this.transferIn(one.sender, one.to, one.data) : null;
      return transfer ? [{ ...transfer, txHash: one.hash }] : [];
    });
    return made.map((one, logIndex) => ({ ...one, blockNumber: number, blockHash, logIndex }));
  }

  private transferIn(
    sender: Hex,
    contract: Hex,
    data: Hex,
  ): Pick<TransferLog, 'asset' | 'from' | 'to' | 'units'> | null {
    const selector = selectorIn(data);
    const [first = '0x0', token = '0x0', to = '0x0', units = '0x0', , , salt = '0x0'] = wordsIn(data);
    const made = (asset: AssetId | undefined, from: Hex, receiver: Hex, amount: Hex) =>
      asset === undefined ? null : { asset, from, to: addressIn(receiver), units: BigInt(amount) };
    if (contract === this.deployment.minter && (selector === SELECTORS.mint || selector === SELECTORS.mintShares))
      return made(this.assetAt(addressIn(token)), ZERO_ADDRESS, to, units);
    // Wallets of ours give alone, so one log tells of all of them.
    if (contract === this.deployment.custody && selector === SELECTORS.sendToken)
      return made(this.assetAt(addressIn(token)), walletAddress(this.deployment.custody, salt), to, units);
    return selector === SELECTORS.transfer ? made(this.assetAt(contract), sender, first, token) : null;
  }

  private assetAt(address: Hex): AssetId | undefined {
    return Object.entries(this.deployment.tokens).find(([, token]) => token === address)?.[0] as AssetId | undefined;
  }
}
