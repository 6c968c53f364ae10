import type { IncomingBlock } from '@ponte/contracts';
import type { Aggregates } from '@ponte/event-sourcing';
import { commandContext, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { Unavailable, fromOnChain, isoTime } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { BlockId, Hex } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { TransfersOfBlock } from '../token-deposits/deposit-transfers.port';
import type { IncomingTransfersCommand, NamelessTransfer } from '../token-deposits/incoming-transfers.decider';
import {
  EVENTS_PER_DECISION,
  ChangedFinalBlock,
  incomingTransfers,
  incomingTransfersId,
} from '../token-deposits/incoming-transfers.decider';
import type { OpenBlocks } from './open-blocks';
import type { WalletAddresses } from '../token-deposits/wallet-addresses.read-model';

interface Parts {
  readonly served: ServedChain;
  readonly addresses: Pick<WalletAddresses, 'receivers'>;
  readonly aggregates: Aggregates;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Records the deposits of blocks in the log. Everything may be repeated. */
export class IncomingBlocks {
  constructor(
    private readonly parts: Parts,
    private readonly open: OpenBlocks,
  ) {}

  /**
   * Records all deposits of a block, when it is new or when it is final. Rejects with `Unavailable` when the list of
   * wallets lacks a receiver.
   */
  async recordDeposits({ number, hash, time, transfers }: TransfersOfBlock, kind: 'see' | 'finalize'): Promise<void> {
    const { addresses, served } = this.parts;
    const { chain } = served.evm;
    const receivers = await addresses.receivers(chain, [...new Set(transfers.map(({ to }) => to))]);
    const named = transfers.map(({ asset, from, to, units, txHash, logIndex }): NamelessTransfer => {
      const receiver = receivers.get(to);
      if (!receiver) throw new Unavailable('service-unavailable', `wallet ${to} is not in the read model`);
      return { ...receiver, asset, amount: fromOnChain(asset, units).toString(), from, to, txHash, logIndex };
    });
    const block: IncomingBlock = { chain, blockNumber: String(number), blockHash: hash };
    try {
      const { state, revision } = await this.decide(hash, { kind, block, minedAt: isoTime(time), transfers: named });
      if (state.open.length === 0) this.open.close(hash, revision);
      else this.open.add({ number, hash }, state.confirmed);
    } catch (error) {
      if (!(error instanceof ChangedFinalBlock)) throw error;
      // An open block would have all blocks from it on read again in each round.
      this.open.close(hash);
      this.parts.logger.error(
        { err: error, ...block, logs: transfers.map(({ txHash, logIndex }) => `${txHash} ${logIndex}`) },
        'a final block has other deposits than before: none of them is recorded, so that none is credited twice',
      );
    }
  }

  /** Voids the open deposits of a block that has left the chain. */
  async end(hash: Hex): Promise<void> {
    const { revision } = await this.decide(hash, { kind: 'reorg' });
    this.open.close(hash, revision);
  }

  /** Confirms the open blocks that are deep enough below the head. */
  async confirm(head: BlockId): Promise<void> {
    for (const block of this.open.all()) {
      if (block.confirmed || block.number > head.number - this.parts.served.confirmations + 1) continue;
      await this.decide(block.hash, { kind: 'confirm' });
      block.confirmed = true;
    }
  }

  /** Repeats the command until it has recorded everything. */
  private async decide(blockHash: Hex, command: IncomingTransfersCommand) {
    const { aggregates, ids, clock, served } = this.parts;
    for (;;) {
      const { state, revision, events } = await aggregates.handle(
        incomingTransfers,
        incomingTransfersId({ chain: served.evm.chain, blockHash }),
        command,
        commandContext(systemContext(ids, 'deposit-scanner'), clock),
      );
      if (events.length < EVENTS_PER_DECISION) return { state, revision };
    }
  }
}
