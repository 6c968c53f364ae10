import { Inject, Injectable } from '@nestjs/common';
import type { AssetId } from '@ponte/kernel';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { Nonces } from '../sending/nonces';
import { operatorKeyFor } from '../signer-key/operator-keys';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { chainOfToken } from '../token-movement/chain-values.domain';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions';

/** Keeps the movements of refused withdrawals from being signed. */
@Injectable()
export class RefusedWithdrawals {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly nonces: Nonces,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
  ) {}

  /**
   * Withholds the nonce of the movement, so that no process signs it: one with other settings may have intended it.
   * Resolves to false when the movement has a nonce already, and is therefore sent.
   */
  async prevent(withdrawalId: string, asset: AssetId): Promise<boolean> {
    const transactionId = transactionIdOf({ kind: 'token-movement', id: withdrawalId });
    const state = await this.transactions.load(transactionId);
    const keyId = operatorKeyFor(transactionId, this.settings.operatorKeyIds);
    const from = state.status === 'absent' ? await this.signer.addressOf(keyId) : state.intent.from;
    return this.nonces.withhold(chainOfToken(asset), from, transactionId);
  }
}
