import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { AccountReleased } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { RequestSettlementsOfAccountCommand } from './request-settlements-of-account.command';

/** Requests the settlements that a freeze stopped before anything was signed. Repeated requests are harmless. */
@Policy(AccountReleased)
export class WhenAccountReleasedRequestSettlements implements IEventHandler<Recorded<AccountReleased>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AccountReleased>): Promise<void> {
    const { accountId } = event.data;
    const context = causedBy(event, 'request-settlements', 'when-account-released');
    await this.commands.execute(new RequestSettlementsOfAccountCommand({ accountId }, context));
  }
}
