import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { Chain } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { IntendedTransaction } from '../transactions/chain-transaction.state';
import { restoringIdOf } from '../transactions/chain-transaction.state';
import { Sender } from '../sending/sender.service';
import { ChainTransactions } from '../transactions/chain-transactions.service';

/** The id of the restoring transaction, or why nothing was sent. */
type RestoreOutcome =
  | { readonly outcome: 'sent'; readonly transactionId: string }
  | { readonly outcome: 'unknown-transaction' | 'not-lost' };

/** Restores the effect of a lost transaction, at the request of an operator. */
export class RestoreLostCommand extends PayloadCommand<
  {
    readonly chain: Chain;
    /** The lost transaction. The one that restored it may be lost, too. */
    readonly transactionId: string;
  },
  RestoreOutcome
> {}

/**
 * Intends another transaction for the same purpose. Its call has the reference of the lost one, which the contract
 * accepts once: if this is requested twice, or the lost bytes are mined after all, the effect still exists once.
 */
@CommandHandler(RestoreLostCommand)
export class RestoreLostHandler implements ICommandHandler<RestoreLostCommand> {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly sender: Sender,
  ) {}

  async execute({ payload: { chain, transactionId }, context }: RestoreLostCommand): Promise<RestoreOutcome> {
    const lost = await this.lastOf(transactionId);
    if (lost === null || lost.intent.chain !== chain) return { outcome: 'unknown-transaction' };
    if (lost.status !== 'lost') return { outcome: 'not-lost' };
    const { purpose, transactionId: restores } = lost.intent;
    return { outcome: 'sent', transactionId: await this.sender.request(purpose, chain, context, { restores }) };
  }

  /** The newest transaction that restores it, or the transaction itself. */
  private async lastOf(transactionId: string): Promise<IntendedTransaction | null> {
    let last: IntendedTransaction | null = null;
    for (let id = transactionId; ; id = restoringIdOf(id)) {
      const state = await this.transactions.load(id);
      if (state.status === 'absent') return last;
      last = state;
      if (state.status !== 'lost') return last;
    }
  }
}
