import { Inject } from '@nestjs/common';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PostTokenMovement } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import { movementPostingId } from '../ledger-account/ledger-account.commands';

/** Held tokens have left the account on the chain; posted once per movement. */
export class PostTokenMovementCommand extends Command<ReplyOf<typeof PostTokenMovement>> {
  constructor(
    readonly payload: PayloadOf<typeof PostTokenMovement>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(PostTokenMovementCommand)
export class PostTokenMovementHandler implements ICommandHandler<PostTokenMovementCommand> {
  constructor(
    private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload, context }: PostTokenMovementCommand): Promise<ReplyOf<typeof PostTokenMovement>> {
    const command = (now: string): LedgerAccountCommand => ({ kind: 'post-token-movement', ...payload, now });
    await this.aggregates.handle(ledgerAccount, payload.accountId, command, commandContext(context, this.clock));
    return { postingId: movementPostingId(payload.movementId) };
  }
}
