import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { IncomingTransfersConfirmed, IncomingTransfersFinalized, IncomingTransfersReorged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { SettleArrivalsCommand } from './receive-arrivals.command';

type Settled = IncomingTransfersConfirmed | IncomingTransfersFinalized | IncomingTransfersReorged;

const STEPS = {
  // The block has the confirmations that its chain requires; nothing is credited before it is final.
  IncomingTransfersConfirmed: ['confirm-arrival', 'when-transfers-confirmed'],
  // The block can no longer be replaced: deposits are credited, or wait until a frozen account is released.
  IncomingTransfersFinalized: ['finalize-arrival', 'when-transfers-finalized'],
  // The block was replaced before it was final; its deposits were never credited, so balances do not change.
  IncomingTransfersReorged: ['void-reorged', 'when-transfers-reorged'],
} as const;

/** Settles the deposits of a block that has enough confirmations, is final, or was replaced. */
@Policy(IncomingTransfersConfirmed, IncomingTransfersFinalized, IncomingTransfersReorged)
export class WhenTransfersSettledSettleDeposits implements IEventHandler<Recorded<Settled>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Settled>): Promise<void> {
    const [kind, policy] = STEPS[event.type];
    const { depositIds } = event.data;
    await this.commands.execute(new SettleArrivalsCommand({ kind, depositIds }, causedBy(event, kind, policy)));
  }
}
