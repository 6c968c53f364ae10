import { Injectable } from '@nestjs/common';
import type { TransactionPurpose } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import type { UnsentReason } from '../transactions/chain-transaction.state';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions.service';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { GiveUpUnsent } from './give-up-unsent.service';

/** Keeps refused movements from being signed, whether they were requested or not. */
@Injectable()
export class RefusedMovements {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly unsent: GiveUpUnsent,
  ) {}

  /**
   * Makes sure that no process signs the movement. If it is not intended, that is recorded in the stream of its
   * transaction, because a process with other settings would intend it with another key. If it is intended, it is given
   * up: the caller returns the funds, and a withheld nonce alone is forgotten when the key has many later ones.
   *
   * Resolves to false when the movement has a nonce already, and is therefore sent, or is on the chain. May be
   * repeated.
   */
  async prevent(
    purpose: Pick<TransactionPurpose, 'kind' | 'id'>,
    chain: Chain,
    reason: UnsentReason,
    trace: Trace,
  ): Promise<boolean> {
    const transactionId = transactionIdOf(purpose);
    const state = await this.transactions.refuse(transactionId, chain, reason);
    if (state.status === 'absent' || state.status === 'given-up') return true;
    return state.status === 'intended' && this.unsent.giveUp({ intent: state.intent, trace }, reason);
  }
}
