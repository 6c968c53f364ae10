import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { SuspensePosted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';

/**
 * Keeps what went to suspense because its account was closed out of the balance: a process may have read the account
 * before it was closed, and post the deposit later. A refused return was never to be posted, or is out of the balance.
 */
@Policy(SuspensePosted)
export class WhenSuspensePostedKeepItOut implements IEventHandler<Recorded<SuspensePosted>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<SuspensePosted>): Promise<void> {
    const { cause, depositId } = event.data;
    if (cause === 'return-refused') return;
    await this.commands.execute(
      new AdvanceDepositCommand({ depositId }, causedBy(event, 'keep-out', 'when-suspense-posted')),
    );
  }
}
