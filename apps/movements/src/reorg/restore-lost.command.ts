import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { Chain } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import type { IntendedTransaction } from '../transactions/chain-transaction.state';
import { restoringIdOf } from '../transactions/chain-transaction.state';
import { Sender } from '../sending/sender';
import { ChainTransactions } from '../transactions/chain-transactions';

/** The id of the transaction that restores it, or why nothing was sent. */
export type RestoreOutcome =
  | { readonly outcome: 'sent'; readonly transactionId: string }
  | { readonly outcome: 'unknown-transaction' | 'not-lost' };

/** An operator has the effect of a lost transaction brought about after all. */
export class RestoreLostCommand extends PayloadCommand<
  {
    readonly chain: Chain;
    /** Lost itself, or restored by one that was lost. */
    readonly transactionId: string;
  },
  RestoreOutcome
> {}

/**
 * Intends another transaction for the same purpose. Its call carries the reference of the lost one, which the contract
 * takes once: asked for twice, or with the lost bytes mined after all, the effect is still there once.
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
    return { outcome: 'sent', transactionId: await this.sender.request(purpose, chain, context, restores) };
  }

  /** The newest of those that restore it, or itself. */
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
