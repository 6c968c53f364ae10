import type { IEventHandler } from '@nestjs/cqrs';
import { EventsHandler } from '@nestjs/cqrs';
import { DepositCreated, holderIdOf, isBankCoordinates, isSealedFor } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Persons } from './persons';

/**
 * A person who pays into someone else's account leaves a name, a number and a bank account in its deposit and may not
 * be a customer. A privacy report has to find this data too. What a holder pays into their own account is held with
 * that account.
 */
@EventsHandler(DepositCreated)
export class WhenPixReceivedNoteMention implements IEventHandler<Recorded<DepositCreated>> {
  constructor(private readonly persons: Persons) {}

  async handle(event: Recorded<DepositCreated>): Promise<void> {
    const { depositId, accountId, coordinates } = event.data;
    // What staff record of USD is sealed under the holder of the account, and addresses on a chain name no one.
    if (!isBankCoordinates(coordinates)) return;
    const { sourceTaxId, sourceTaxIdFingerprint } = coordinates;
    const subjectId = holderIdOf(sourceTaxIdFingerprint);
    // A payer whom the bank did not name, or who was erased before, is a subject that no one else is.
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
