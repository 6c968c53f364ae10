import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, RegisterBankAccount } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Accounts } from './accounts';

export class RegisterBankAccountCommand extends Command<AccountRecord> {
  constructor(
    readonly payload: PayloadOf<typeof RegisterBankAccount>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RegisterBankAccountCommand)
export class RegisterBankAccountHandler implements ICommandHandler<RegisterBankAccountCommand> {
  constructor(private readonly accounts: Accounts) {}

  execute({ payload: { accountId, bankAccount }, context }: RegisterBankAccountCommand): Promise<AccountRecord> {
    return this.accounts.record(accountId, { kind: 'register-bank-account', bankAccount }, context);
  }
}
