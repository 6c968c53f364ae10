import type { IEventHandler } from '@nestjs/cqrs';
import { EventsHandler } from '@nestjs/cqrs';
import { DepositCreated, holderIdOf, isBankCoordinates, isSealedFor } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Persons } from './persons';

/**
 * Records a payer who pays into someone else's account and may not be a customer: the deposit contains the payer's
 * name, tax id and bank account, which a privacy report has to find. Payments of holders into their own account are
 * held with that account.
 */
@EventsHandler(DepositCreated)
export class WhenPixReceivedNoteMention implements IEventHandler<Recorded<DepositCreated>> {
  constructor(private readonly persons: Persons) {}

  async handle(event: Recorded<DepositCreated>): Promise<void> {
    const { depositId, accountId, coordinates } = event.data;
    // USD deposits recorded by staff are sealed under the account's holder, and chain addresses name no person.
    if (!isBankCoordinates(coordinates)) return;
    const { sourceTaxId, sourceTaxIdFingerprint } = coordinates;
    const subjectId = holderIdOf(sourceTaxIdFingerprint);
    // A payer whom the bank did not name, or who was erased before, has a subject of its own.
    if (!isSealedFor(subjectId, sourceTaxId)) return;
    const { mentions } = await this.persons.load(subjectId);
    if (mentions.some(({ mention }) => mention.kind === 'account' && mention.accountId === accountId)) return;
    await this.persons.handle(
      subjectId,
      (at) => ({ kind: 'mention', subjectId, mention: { kind: 'deposit', depositId }, at }),
      causedBy(event, 'note-payer', 'when-pix-received'),
    );
  }
}
