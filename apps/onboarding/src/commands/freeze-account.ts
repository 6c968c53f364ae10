import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Accounts } from './accounts';

/** Freezes an account, or gives it free again. */
export class FreezeAccountCommand extends Command<AccountRecord> {
  constructor(readonly kind: 'freeze' | 'unfreeze', readonly payload: { accountId: string; reason: string }, readonly context: RequestContext) { super(); }
}

@CommandHandler(FreezeAccountCommand)
export class FreezeAccountHandler implements ICommandHandler<FreezeAccountCommand> {
  constructor(private readonly accounts: Accounts) {}

  execute({ kind, payload: { accountId, reason }, context }: FreezeAccountCommand): Promise<AccountRecord> {
    return this.accounts.record(accountId, { kind, reason }, context);
  }
}
