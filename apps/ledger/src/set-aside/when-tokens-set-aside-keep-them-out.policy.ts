import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { SuspensePosted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';

/**
 * Keeps tokens that were set aside out of the balance of the closed account: a process may have read the account before
 * it was closed, and post the deposit later.
 */
@EventsHandler(SuspensePosted)
export class WhenTokensSetAsideKeepThemOut implements IEventHandler<Recorded<SuspensePosted>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<SuspensePosted>): Promise<void> {
    const { cause, depositId } = event.data;
    if (cause !== 'set-aside') return;
    await this.commands.execute(
      new AdvanceDepositCommand({ depositId }, causedBy(event, 'keep-out', 'when-tokens-set-aside')),
    );
  }
}
