import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ReleaseHold } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import { ledgerAccount } from './ledger-account.decider';

/** Makes held money available again. Nothing when the hold is not open, or when it is the payment of a charge. */
export class ReleaseHoldCommand extends Command<ReplyOf<typeof ReleaseHold>> {
  constructor(
    readonly payload: PayloadOf<typeof ReleaseHold>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ReleaseHoldCommand)
export class ReleaseHoldHandler implements ICommandHandler<ReleaseHoldCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, holdId, reason, placed = false },
    context,
  }: ReleaseHoldCommand): Promise<ReplyOf<typeof ReleaseHold>> {
    const { events } = await this.aggregates.handle(
      ledgerAccount,
      accountId,
      { kind: 'release-hold', accountId, holdId, reason, placed },
      commandContext(context, this.clock),
    );
    return { released: events.length > 0 };
  }
}
