import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { DepositVoided } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { EndUnsignedOrderCommand } from './end-unsigned-order.command';

/**
 * Rolls back the order that a payment paid before the bank took it back, unless its settlement is being sent. An order
 * that does not name the payment yet finds out when it requests its settlement.
 */
@Policy(DepositVoided)
export class WhenDepositTakenBackEndOrder implements IEventHandler<Recorded<DepositVoided>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<DepositVoided>): Promise<void> {
    const { reason, orderId, depositId } = event.data;
    if (reason !== 'taken-back' || orderId === null) return;
    const context = causedBy(event, 'end-order', 'when-deposit-taken-back');
    await this.commands.execute(
      new EndUnsignedOrderCommand({ orderId, depositId, reason: 'payment-taken-back' }, context),
    );
  }
}
