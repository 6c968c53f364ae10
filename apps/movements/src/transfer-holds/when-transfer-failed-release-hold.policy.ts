import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransferFailed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ReleaseTransferHoldCommand } from './release-transfer-hold.command';

/**
 * Releases the hold of a failed transfer. Retried until the ledger answers, so that no failure keeps the funds held.
 */
@Policy(TransferFailed)
export class WhenTransferFailedReleaseHold implements IEventHandler<Recorded<TransferFailed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransferFailed>): Promise<void> {
    const context = causedBy(event, 'release-hold', 'when-transfer-failed');
    await this.commands.execute(new ReleaseTransferHoldCommand(event.data, context));
  }
}
