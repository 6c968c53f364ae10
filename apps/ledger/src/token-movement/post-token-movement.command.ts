import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PostTokenMovement } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestCommand } from '@ponte/nest';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { movementPostingId } from '../ledger-account/ledger-account.commands';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { ReceiveTokenMovementCommand } from './receive-token-movement.command';

/** Held tokens have left the account on the chain. Posted, and received by another account, once per movement. */
export class PostTokenMovementCommand extends RequestCommand<typeof PostTokenMovement> {}

@CommandHandler(PostTokenMovementCommand)
export class PostTokenMovementHandler implements ICommandHandler<PostTokenMovementCommand> {
  constructor(
    private readonly ledgerAccounts: LedgerAccounts,
    private readonly commands: CommandBus,
  ) {}

  async execute({ payload, context }: PostTokenMovementCommand): Promise<ReplyOf<typeof PostTokenMovement>> {
    const { confirmed, ...movement } = payload;
    const command = (now: string): LedgerAccountCommand => ({ kind: 'post-token-movement', ...movement, now });
    await this.ledgerAccounts.execute(movement.accountId, command, context);
    if (confirmed) await this.commands.execute(new ReceiveTokenMovementCommand(confirmed, context));
    return { postingId: movementPostingId(movement.movementId) };
  }
}
