import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '@ponte/kernel';
import type { Tracing } from '@ponte/nest';
import { LOGGER, TRACING } from '@ponte/nest';
import type { Logger } from 'pino';
import type { ServedChains } from '../ports/served-chains';
import { SERVED_CHAINS } from '../ports/served-chains';
import type { MovementsSettings } from '../ports/settings';
import { SETTINGS } from '../ports/settings';
import type { Signer } from '../ports/signer';
import { SIGNER } from '../ports/signer';
import type { Trace } from './chain-transactions';
import { ChainTransactions } from './chain-transactions';
import { Nonces } from './nonces';
import type { FeeRaise } from './sending-line';
import { SendingLine } from './sending-line';
import { Sent } from './sent';
import { Settlement } from './settlement';

/** Takes transactions from intent to broadcast; each chain has a line of its own. */
@Injectable()
export class Sender implements BeforeApplicationShutdown {
  private readonly lines: ReadonlyMap<Chain, SendingLine>;

  constructor(
    @Inject(SERVED_CHAINS) chains: ServedChains, @Inject(SIGNER) signer: Signer, @Inject(SETTINGS) { operatorKeyId: keyId, maxFeePerGas }: MovementsSettings,
    transactions: ChainTransactions, nonces: Nonces, settlement: Settlement, sent: Sent, @Inject(LOGGER) logger: Logger,
    @Inject(TRACING) tracing: Tracing,
  ) {
    this.lines = new Map(chains.all.map((served) =>
      [served.evm.chain, new SendingLine({ served, signer, keyId, maxFeePerGas, transactions, nonces, settlement, sent, logger, tracing })]));
  }

  /** Returns at once. What is on its way already is not sent twice. */
  send(chain: Chain, transactionId: string, trace: Trace): void {
    this.lines.get(chain)?.send(transactionId, trace);
  }

  /** As {@link SendingLine.raiseFee}. Rejects with `Unavailable` when the node or the key store does not answer. */
  raiseFee(chain: Chain, transactionId: string, trace: Trace, always: boolean): Promise<FeeRaise> {
    return this.lines.get(chain)?.raiseFee(transactionId, trace, always) ?? Promise.resolve({ outcome: 'not-waiting' });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.lines.values()].map((line) => line.stop()));
  }
}
