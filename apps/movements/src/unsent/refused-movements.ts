import { Inject, Injectable } from '@nestjs/common';
import type { TransactionPurpose } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { operatorKeyFor } from '../signer-key/operator-keys';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import type { ChainTransaction } from '../transactions/chain-transaction.state';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions';
import { Nonces } from '../sending/nonces';

/** Keeps refused movements from being signed, whether they were requested or not. */
@Injectable()
export class RefusedMovements {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly nonces: Nonces,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {}

  /**
   * Withholds the nonce of the movement, so that no process signs it: another one, maybe with other settings, may have
   * intended it. Resolves to false when the movement has a nonce already, and is therefore sent, or is on the chain.
   */
  async prevent(purpose: Pick<TransactionPurpose, 'kind' | 'id'>, chain: Chain): Promise<boolean> {
    const transactionId = transactionIdOf(purpose);
    const state = await this.transactions.load(transactionId);
    if (!isUnsent(state)) return false;
    const keyId = operatorKeyFor(transactionId, this.settings.operatorKeyIds);
    const from = state.status === 'absent' ? await this.signer.addressOf(keyId) : state.intent.from;
    return this.nonces.withhold(chain, from, transactionId);
  }
}

const isUnsent = ({ status }: ChainTransaction): boolean =>
  status === 'absent' || status === 'intended' || status === 'given-up';
