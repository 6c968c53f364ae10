import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, ChangeCapabilities } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Accounts } from './accounts';

export class ChangeCapabilitiesCommand extends Command<AccountRecord> {
  constructor(
    readonly payload: PayloadOf<typeof ChangeCapabilities>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeCapabilitiesCommand)
export class ChangeCapabilitiesHandler implements ICommandHandler<ChangeCapabilitiesCommand> {
  constructor(private readonly accounts: Accounts) {}

  execute({ payload: { accountId, grant, revoke }, context }: ChangeCapabilitiesCommand): Promise<AccountRecord> {
    return this.accounts.record(accountId, { kind: 'change-capabilities', grant, revoke }, context);
  }
}
