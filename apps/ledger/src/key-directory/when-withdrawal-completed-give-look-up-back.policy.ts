import type { IEventHandler } from '@nestjs/cqrs';
import { WithdrawalCompleted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { created } from '../withdrawal/withdrawal.state';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { KeyLookUps } from './key-look-ups.service';

/** Gives the look-up of a Pix key back once it was paid, for a withdrawal or for an order. */
@Policy(WithdrawalCompleted)
export class WhenWithdrawalCompletedGiveLookUpBack implements IEventHandler<Recorded<WithdrawalCompleted>> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly lookUps: KeyLookUps,
  ) {}

  async handle({ data: { withdrawalId, target } }: Recorded<WithdrawalCompleted>): Promise<void> {
    if (target.method !== 'pix') return;
    const state = await this.withdrawals.load(withdrawalId);
    const { terms } = created(state) ?? behindEvent(`withdrawal ${withdrawalId}`, state.status);
    await this.lookUps.wasPaid(terms);
  }
}
