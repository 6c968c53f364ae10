import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PostTokenMovement } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand } from '@ponte/nest';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { movementPostingId } from '../ledger-account/ledger-account.commands';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/** Held tokens have left the account on the chain. Posted once per movement. */
export class PostTokenMovementCommand extends RequestCommand<typeof PostTokenMovement> {}

@CommandHandler(PostTokenMovementCommand)
export class PostTokenMovementHandler implements ICommandHandler<PostTokenMovementCommand> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({ payload, context }: PostTokenMovementCommand): Promise<ReplyOf<typeof PostTokenMovement>> {
    const command = (now: string): LedgerAccountCommand => ({ kind: 'post-token-movement', ...payload, now });
    await this.ledgerAccounts.execute(payload.accountId, command, context);
    return { postingId: movementPostingId(payload.movementId) };
  }
}
