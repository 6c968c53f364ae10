import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AmountOf, Timestamp } from '@ponte/contracts';
import { PayloadCommand } from '@ponte/nest';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import type { LossPath } from './loss-path.domain';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

export interface HouseLoss {
  readonly accountId: string;
  /** The transaction that a reorg removed from the chain. */
  readonly transactionId: string;
  /** The event that reported the loss or its end. Each event is posted once. */
  readonly causeId: string;
  readonly causedAt: Timestamp;
  readonly loss: AmountOf;
  readonly path: LossPath;
}

/** Posts the loss of a reorged movement to the house, or reverses such a loss. */
export class PostHouseLossCommand extends PayloadCommand<{
  readonly kind: 'post-loss' | 'reverse-loss';
  readonly loss: HouseLoss;
}> {}

@CommandHandler(PostHouseLossCommand)
export class PostHouseLossHandler implements ICommandHandler<PostHouseLossCommand> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({ payload: { kind, loss }, context }: PostHouseLossCommand): Promise<void> {
    const { causedAt: since, ...posting } = loss;
    const command = (now: string): LedgerAccountCommand => ({ kind, ...posting, since, now });
    await this.ledgerAccounts.execute(loss.accountId, command, context);
  }
}
