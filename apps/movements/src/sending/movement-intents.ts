import { Inject, Injectable } from '@nestjs/common';
import type { TransactionPurpose } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Chain, Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { operatorKeyFor } from '../signer-key/operator-keys';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { restoringIdOf, transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions';
import { Sender } from './sender';

/** Records what has to be done on a chain, and hands it to the sender. */
@Injectable()
export class MovementIntents {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly sender: Sender,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Resolves with the id of the transaction as soon as the intent is durable; from then on it depends on the chain
   * alone. If the process ends in between, the next round over the unfinished transactions sends it. One intent per
   * purpose: a repetition with other terms is refused with `movement-already-requested`.
   *
   * @param restores the id of a lost transaction whose effect is brought about by another one
   */
  async request(
    purpose: TransactionPurpose,
    chain: Chain,
    context: RequestContext,
    restores?: string,
  ): Promise<string> {
    const transactionId = restores === undefined ? transactionIdOf(purpose) : restoringIdOf(restores);
    const keyId = operatorKeyFor(transactionId, this.settings.operatorKeyIds);
    const intent = { chain, from: await this.signer.addressOf(keyId), intendedAt: isoTime(this.clock.now()) };
    const command = { kind: 'intend', purpose, intent, ...(restores === undefined ? {} : { restores }) } as const;
    const { status } = await this.transactions.intend(transactionId, command, context);
    if (status === 'intended' || status === 'signed') this.sender.send(chain, keyId, transactionId, context);
    return transactionId;
  }
}
