import { Injectable } from '@nestjs/common';
import type { UnsentReason } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import type { NumberedTransaction } from '../sending/due-transactions';
import { Nonces } from '../sending/nonces.service';

/** Ends transactions that must never be signed, so that their resources fail and the funds are returned. */
@Injectable()
export class GiveUpUnsent {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly nonces: Nonces,
  ) {}

  /**
   * Gives up a transaction that has no nonce. The nonce is withheld first: another process may be about to allocate
   * one. Resolves to false when the transaction waits instead, because it has a nonce, restores a lost one, or mints a
   * certificate, for which nothing is returned.
   */
  async giveUp(
    { intent, trace }: Pick<NumberedTransaction, 'intent' | 'trace'>,
    reason: UnsentReason,
  ): Promise<boolean> {
    const { transactionId, purpose, restores } = intent;
    if (restores !== undefined || purpose.kind === 'certificate-mint') return false;
    if (!(await this.nonces.withhold(intent, reason))) return false;
    const giving = (at: string) => ({ kind: 'give-up', reason, at }) as const;
    const { status } = await this.transactions.execute(transactionId, giving, 'give-up', trace);
    return status === 'given-up';
  }
}
