import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PlaceHold } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';

/** Sets an amount aside for its owner. Refuses `insufficient-balance`. */
export class PlaceHoldCommand extends Command<ReplyOf<typeof PlaceHold>> {
  constructor(
    readonly payload: PayloadOf<typeof PlaceHold>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(PlaceHoldCommand)
export class PlaceHoldHandler implements ICommandHandler<PlaceHoldCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { accountId, hold }, context }: PlaceHoldCommand): Promise<ReplyOf<typeof PlaceHold>> {
    const command = (now: string): LedgerAccountCommand => ({ kind: 'place-hold', accountId, hold, now });
    await this.aggregates.handle(ledgerAccount, accountId, command, commandContext(context, this.clock));
    return { holdId: hold.holdId };
  }
}
