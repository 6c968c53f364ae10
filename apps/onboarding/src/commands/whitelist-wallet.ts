import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, WhitelistWallet } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Accounts } from './accounts';

export class WhitelistWalletCommand extends Command<AccountRecord> {
  constructor(
    readonly payload: PayloadOf<typeof WhitelistWallet>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(WhitelistWalletCommand)
export class WhitelistWalletHandler implements ICommandHandler<WhitelistWalletCommand> {
  constructor(private readonly accounts: Accounts) {}

  execute({ payload: { accountId, address, fx, source }, context }: WhitelistWalletCommand): Promise<AccountRecord> {
    return this.accounts.record(accountId, { kind: 'whitelist', address, fx, source }, context);
  }
}
