import { Inject, Injectable } from '@nestjs/common';
import type { CertificatePurpose } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { ChainTransactions } from '../transactions/chain-transactions';
import { operatorKeyFor } from '../signer-key/operator-keys';
import { Sender } from '../sending/sender';
import { CERTIFICATE_CHAIN } from './certificate-purpose';

/**
 * Makes what has to be done on the chain durable, and hands it to the sender: from there on it depends on the chain
 * alone.
 */
@Injectable()
export class CertificateIntents {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly sender: Sender,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
  ) {}

  /** Once for each purpose. Should the process end in between, the rounds over everything unfinished take it up. */
  async carryOut(purpose: CertificatePurpose, context: RequestContext): Promise<void> {
    const transactionId = transactionIdOf(purpose);
    const keyId = operatorKeyFor(transactionId, this.settings.operatorKeyIds);
    const intent = {
      chain: CERTIFICATE_CHAIN,
      from: await this.signer.addressOf(keyId),
      intendedAt: isoTime(this.clock.now()),
    };
    const state = await this.transactions.intend(transactionId, { kind: 'intend', purpose, intent }, context);
    if (state.status !== 'intended' && state.status !== 'signed') return;
    this.sender.send(CERTIFICATE_CHAIN, keyId, transactionId, context);
  }
}
