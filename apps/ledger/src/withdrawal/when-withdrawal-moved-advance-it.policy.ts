import { CommandBus } from '@nestjs/cqrs';
import type { IEventHandler } from '@nestjs/cqrs';
import { WithdrawalCreated, WithdrawalRolledBack } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { AdvanceWithdrawalCommand } from './advance-withdrawal.command';

type Moved = WithdrawalCreated | WithdrawalRolledBack;

const STEPS = {
  WithdrawalCreated: ['created', 'advance', 'when-withdrawal-created'],
  WithdrawalRolledBack: ['rolled-back', 'release', 'when-withdrawal-rolled-back'],
} as const;

/**
 * Checks and sends a new withdrawal at once, unless it waits for banking hours. Releases the funds of a withdrawal that
 * was rolled back, in case the process that rolled it back died before doing so.
 */
@Policy(WithdrawalCreated, WithdrawalRolledBack)
export class WhenWithdrawalMovedAdvanceIt implements IEventHandler<Recorded<Moved>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<Moved>): Promise<void> {
    const [seen, step, policy] = STEPS[event.type];
    const { withdrawalId } = event.data;
    await this.commands.execute(new AdvanceWithdrawalCommand({ withdrawalId, seen }, causedBy(event, step, policy)));
  }
}
