import { Injectable } from '@nestjs/common';
import type { TransactionPurpose } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import type { ChainTransaction, UnsentReason } from '../transactions/chain-transaction.state';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions';
import { Nonces } from '../sending/nonces';

/** Keeps refused movements from being signed, whether they were requested or not. */
@Injectable()
export class RefusedMovements {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly nonces: Nonces,
  ) {}

  /**
   * Makes sure that no process signs the movement. If it is not intended, that is recorded in the stream of its
   * transaction, because a process with other settings would intend it with another key. If it is intended, the nonce
   * is withheld from the key that it names. Resolves to false when the movement has a nonce already, and is therefore
   * sent, or is on the chain.
   */
  async prevent(
    purpose: Pick<TransactionPurpose, 'kind' | 'id'>,
    chain: Chain,
    reason: UnsentReason,
  ): Promise<boolean> {
    const transactionId = transactionIdOf(purpose);
    const state = await this.transactions.refuse(transactionId, chain, reason);
    if (state.status === 'absent') return true;
    return isUnsent(state) && this.nonces.withhold(state.intent, reason);
  }
}

const isUnsent = ({ status }: ChainTransaction): boolean => status === 'intended' || status === 'given-up';
