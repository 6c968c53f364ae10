import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { PixChargeClosed, PixChargePaid, PixChargeMispaid } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import type { EndedCharge } from './settle-charge.command';
import { SettleChargeCommand } from './settle-charge.command';

type Ended = Recorded<PixChargePaid | PixChargeMispaid | PixChargeClosed>;

/** Settles the order of a charge that was paid, mispaid or closed. */
@Policy(PixChargePaid, PixChargeMispaid, PixChargeClosed)
export class WhenPixChargeEndedSettleCharge implements IEventHandler<Ended> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Ended): Promise<void> {
    const { orderId, accountId, txid } = event.data;
    const charge = { orderId, accountId, txid, outcome: outcomeOf(event) };
    await this.commands.execute(
      new SettleChargeCommand(charge, causedBy(event, 'settle-charge', 'when-pix-charge-ended')),
    );
  }
}

function outcomeOf(event: Ended): EndedCharge['outcome'] {
  switch (event.type) {
    case 'PixChargePaid':
      return { state: 'paid', depositId: event.data.depositId, holdId: event.data.holdId };
    case 'PixChargeMispaid':
      return { state: 'mispaid', depositId: event.data.depositId, reason: event.data.reason };
    case 'PixChargeClosed':
      return { state: 'closed' };
  }
}
