import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AmountOf } from '@ponte/contracts';
import { PayloadCommand } from '@ponte/nest';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import type { LossPath } from './loss-path.domain';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

export interface HouseLoss {
  readonly accountId: string;
  /** Transaction on the chain that a reorg took back. */
  readonly transactionId: string;
  /** Event that says so; each is posted once. */
  readonly causeId: string;
  readonly loss: AmountOf;
  readonly path: LossPath;
}

/** Posts to the house what a reorg took from an account, or takes such a loss back. */
export class PostHouseLossCommand extends PayloadCommand<{
  readonly kind: 'post-loss' | 'reverse-loss';
  readonly loss: HouseLoss;
}> {}

@CommandHandler(PostHouseLossCommand)
export class PostHouseLossHandler implements ICommandHandler<PostHouseLossCommand> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({ payload: { kind, loss }, context }: PostHouseLossCommand): Promise<void> {
    const command = (now: string): LedgerAccountCommand => ({ kind, ...loss, now });
    await this.ledgerAccounts.execute(loss.accountId, command, context);
  }
}
