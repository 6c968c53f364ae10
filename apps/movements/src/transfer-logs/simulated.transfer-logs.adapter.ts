import type { AssetId } from '@ponte/kernel';
import { Unavailable } from '@ponte/kernel';
import { readCustodyCall } from '../chain/adapters/rpc/abi';
import type { Deployment } from '../chain/adapters/deployment';
import { movementLogsOf } from '../chain/adapters/simulated/simulated-logs';
import type { SimulatedBlock, SimulatedBlocks } from '../chain/adapters/simulated/simulated-blocks';
import type { SimulatedState } from '../chain/adapters/simulated/simulated-state';
import type { BlockId, Hex, TokenRequest } from '../chain/chain.port';
import { showsMovement } from './movement-logs.adapter';
import type { LogNode, MinedTransaction, TransferLog } from './transfer-logs.port';

type Answer = <T>(read: () => T) => Promise<T>;
type Finality = { finalBlock(): Promise<BlockId> };

/** Logs of a simulated chain, as its transactions left them. */
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
    const accepted = recipients && new Set(recipients);
    return this.answer(() => {
      const found: TransferLog[] = [];
      for (let number = from; number <= to; number += 1) {
        const block = this.blocks.at(number);
        if (block) found.push(...this.logsIn(block).filter((log) => accepted?.has(log.to) ?? true));
      }
      return found;
    });
  }

  unitsHeld(block: BlockId, holders: readonly Hex[]): Promise<readonly bigint[]> {
    const tokens = Object.values(this.deployment.tokens);
    return this.readState(block, ({ balances }) =>
      holders.map((holder) => tokens.reduce((sum, token) => sum + balances.of(token, holder, block.number), 0n)),
    );
  }

  areDeployed(block: BlockId, wallets: readonly Hex[]): Promise<readonly boolean[]> {
    return this.readState(block, (state) => wallets.map((wallet) => state.isDeployed(wallet, block.number)));
  }

  blockTransfers(blockHash: Hex, recipients: readonly Hex[]): Promise<readonly TransferLog[]> {
    return this.answer(() => this.logsIn(this.blocks.withHash(blockHash)).filter(({ to }) => recipients.includes(to)));
  }

  receiptTransfers(block: number | Hex, recipients: readonly Hex[]): Promise<readonly TransferLog[]> {
    return typeof block === 'number'
      ? this.transferLogs(block, block, recipients)
      : this.blockTransfers(block, recipients);
  }

  minedTransaction(txHash: Hex): Promise<MinedTransaction | null> {
    return this.answer(() => {
      const block = this.blocks.blockWith(txHash);
      const mined = block?.transactions.find(({ hash }) => hash === txHash);
      return block && mined ? { sender: mined.sender, blockHash: block.hash } : null;
    });
  }

  certificateMoves(blockHash: Hex): Promise<readonly Hex[]> {
    return this.answer(() =>
      this.blocks
        .withHash(blockHash)
        .transactions.filter(({ data, reason }) => !reason && readCustodyCall(data)?.functionName === 'sendNft')
        .map(({ hash }) => hash),
    );
  }

  minedCount(sender: Hex, block: BlockId): Promise<number> {
    return this.answer(() => {
      this.blocks.assertHas(block);
      return this.blocks.nonceAt(sender, this.blocks.head.number - block.number + 1);
    });
  }

  hasMovement(txHash: Hex, request: TokenRequest): Promise<boolean> {
    return this.answer(() => {
      const mined = this.blocks.blockWith(txHash)?.transactions.find(({ hash }) => hash === txHash);
      if (!mined) throw new Unavailable('chain-unavailable', 'the node lacks the receipt of the transaction');
      return showsMovement(movementLogsOf(mined, this.deployment), this.deployment, request);
    });
  }

  private readState<T>(block: BlockId, read: (state: SimulatedState) => T): Promise<T> {
    return this.answer(() => {
      this.blocks.assertHas(block);
      return read(this.blocks.state);
    });
  }

  private logsIn({ number, hash: blockHash, transactions }: SimulatedBlock): TransferLog[] {
    const made = transactions.flatMap(({ hash: txHash, transfer }) => {
      const asset = transfer && this.assetAt(transfer.token);
      return asset ? [{ asset, from: transfer.from, to: transfer.to, units: transfer.units, txHash }] : [];
    });
    return made.map((one, logIndex) => ({ ...one, blockNumber: number, blockHash, logIndex }));
  }

  private assetAt(address: Hex): AssetId | undefined {
    return Object.entries(this.deployment.tokens).find(([, token]) => token === address)?.[0] as AssetId | undefined;
  }
}
