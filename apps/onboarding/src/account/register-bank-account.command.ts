import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, RegisterBankAccount } from '@ponte/contracts';
import { RequestCommand } from '@ponte/nest';
import { Accounts } from './accounts.service';

export class RegisterBankAccountCommand extends RequestCommand<typeof RegisterBankAccount> {}

@CommandHandler(RegisterBankAccountCommand)
export class RegisterBankAccountHandler implements ICommandHandler<RegisterBankAccountCommand> {
  constructor(private readonly accounts: Accounts) {}

  execute({ payload: { accountId, bankAccount }, context }: RegisterBankAccountCommand): Promise<AccountRecord> {
    return this.accounts.record(accountId, { kind: 'register-bank-account', bankAccount }, context);
  }
}
