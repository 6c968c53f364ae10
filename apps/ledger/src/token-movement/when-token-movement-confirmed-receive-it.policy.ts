import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { TransactionConfirmed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { ReceiveTokenMovementCommand } from './receive-token-movement.command';

/**
 * Creates the deposit for a confirmed movement to another account's Ponte wallet. The books of the source account are
 * left to the owner of the movement.
 */
@Policy(TransactionConfirmed)
export class WhenTokenMovementConfirmedReceiveIt implements IEventHandler<Recorded<TransactionConfirmed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<TransactionConfirmed>): Promise<void> {
    const { purpose, chain, txHash, minedAt } = event.data;
    if (purpose.kind !== 'token-movement') return;
    const context = causedBy(event, 'receive-movement', 'when-token-movement-confirmed');
    await this.commands.execute(new ReceiveTokenMovementCommand({ purpose, chain, txHash, minedAt }, context));
  }
}
