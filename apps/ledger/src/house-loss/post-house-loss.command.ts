import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { AmountOf } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import type { LossPath } from './loss-path.domain';

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
export class PostHouseLossCommand extends Command<void> {
  constructor(
    readonly kind: 'post-loss' | 'reverse-loss',
    readonly loss: HouseLoss,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(PostHouseLossCommand)
export class PostHouseLossHandler implements ICommandHandler<PostHouseLossCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ kind, loss, context }: PostHouseLossCommand): Promise<void> {
    const command = (now: string): LedgerAccountCommand => ({ kind, ...loss, now });
    await this.aggregates.handle(ledgerAccount, loss.accountId, command, commandContext(context, this.clock));
  }
}
