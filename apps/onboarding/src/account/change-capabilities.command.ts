import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { AccountRecord, ChangeCapabilities } from '@ponte/contracts';
import { RequestCommand } from '@ponte/nest';
import { Accounts } from './accounts.service';

export class ChangeCapabilitiesCommand extends RequestCommand<typeof ChangeCapabilities> {}

@CommandHandler(ChangeCapabilitiesCommand)
export class ChangeCapabilitiesHandler implements ICommandHandler<ChangeCapabilitiesCommand> {
  constructor(private readonly accounts: Accounts) {}

  execute({ payload: { accountId, grant, revoke }, context }: ChangeCapabilitiesCommand): Promise<AccountRecord> {
    return this.accounts.record(accountId, { kind: 'change-capabilities', grant, revoke }, context);
  }
}
