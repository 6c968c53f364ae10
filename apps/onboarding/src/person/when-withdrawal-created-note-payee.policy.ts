import type { IEventHandler } from '@nestjs/cqrs';
import { EventsHandler } from '@nestjs/cqrs';
import { WithdrawalCreated, holderIdOf, isSealedFor } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Persons } from './persons';

/**
 * Records the payee of a withdrawal: the withdrawal contains the payee's name, tax id and bank account, which a privacy
 * report has to find.
 */
@EventsHandler(WithdrawalCreated)
export class WhenWithdrawalCreatedNotePayee implements IEventHandler<Recorded<WithdrawalCreated>> {
  constructor(private readonly persons: Persons) {}

  async handle(event: Recorded<WithdrawalCreated>): Promise<void> {
    const { withdrawalId, target } = event.data;
    if (target.method === 'token') return;
    const subjectId = holderIdOf(target.payee.taxIdFingerprint);
    // A payee who was erased before has a subject that no other record uses.
    if (!isSealedFor(subjectId, target.payee.taxId)) return;
    await this.persons.handle(
      subjectId,
      (at) => ({ kind: 'mention', subjectId, mention: { kind: 'withdrawal', withdrawalId }, at }),
      causedBy(event, 'note-payee', 'when-withdrawal-created'),
    );
  }
}
