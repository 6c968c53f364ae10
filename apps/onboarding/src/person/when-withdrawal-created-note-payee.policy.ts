import type { IEventHandler } from '@nestjs/cqrs';
import { WithdrawalCreated, holderIdOf, sealingSubjectOf } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { Persons } from './persons.service';

/**
 * Records the payee of a withdrawal: the withdrawal contains the payee's name, tax id and bank account, which a privacy
 * report has to find.
 */
@Policy(WithdrawalCreated)
export class WhenWithdrawalCreatedNotePayee implements IEventHandler<Recorded<WithdrawalCreated>> {
  constructor(private readonly persons: Persons) {}

  async handle(event: Recorded<WithdrawalCreated>): Promise<void> {
    const { withdrawalId, target } = event.data;
    if (target.method === 'token') return;
    const subjectId = holderIdOf(target.payee.taxIdFingerprint);
    // A payee other than the holder has a subject for each withdrawal, so an erasure that comes first spares the data.
    const sealedUnder = sealingSubjectOf(target.payee.taxId);
    await this.persons.handle(
      subjectId,
      (at) => ({ kind: 'mention', subjectId, mention: { kind: 'withdrawal', withdrawalId, sealedUnder }, at }),
      causedBy(event, 'note-payee', 'when-withdrawal-created'),
    );
  }
}
