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
import { SendingLine } from './sending-line';
import { Sent } from './sent';
import { Settlement } from './settlement';

/** Takes transactions from intent to broadcast; each operator key has a line of its own on each chain. */
@Injectable()
export class Sender implements BeforeApplicationShutdown {
  private readonly lines: ReadonlyMap<string, SendingLine>;

  constructor(
    @Inject(SERVED_CHAINS) chains: ServedChains, @Inject(SIGNER) signer: Signer, @Inject(SETTINGS) { operatorKeyIds }: MovementsSettings,
    transactions: ChainTransactions, nonces: Nonces, settlement: Settlement, sent: Sent, @Inject(LOGGER) logger: Logger,
    @Inject(TRACING) tracing: Tracing,
  ) {
    this.lines = new Map(chains.all.flatMap((served) => operatorKeyIds.map((keyId) =>
      [nameOf(served.evm.chain, keyId), new SendingLine({ served, signer, keyId, transactions, nonces, settlement, sent, logger, tracing })])));
  }

  /** Returns at once. What is on its way already is not sent twice. `keyId` is the operator key that the intent names by its address. */
  send(chain: Chain, keyId: string, transactionId: string, trace: Trace): void {
    this.lines.get(nameOf(chain, keyId))?.send(transactionId, trace);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.lines.values()].map((line) => line.stop()));
  }
}

const nameOf = (chain: Chain, keyId: string): string => `${chain}/${keyId}`;
