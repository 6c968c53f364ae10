import type { IEventHandler } from '@nestjs/cqrs';
import { EventsHandler } from '@nestjs/cqrs';
import type { PersonMention } from '@ponte/contracts';
import { AccountOpened, AccountRequested } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Persons } from './persons';

/**
 * Records where a person is mentioned, so that a privacy report finds all data held about them, and an erasure finds
 * every record that must be kept.
 */
@EventsHandler(AccountRequested, AccountOpened)
export class WhenPersonNamedNoteMention implements IEventHandler<Recorded<AccountRequested | AccountOpened>> {
  constructor(private readonly persons: Persons) {}

  async handle(event: Recorded<AccountRequested | AccountOpened>): Promise<void> {
    const context = causedBy(event, 'note-mention', 'when-person-named');
    for (const [subjectId, mention] of mentionsOf(event)) {
      await this.persons.handle(subjectId, (at) => ({ kind: 'mention', subjectId, mention, at }), context);
    }
  }
}

function mentionsOf(event: Recorded<AccountRequested | AccountOpened>): [string, PersonMention][] {
  if (event.type === 'AccountOpened')
    return [[event.data.holderId, { kind: 'account', accountId: event.data.accountId }]];
  const { requestId, details } = event.data;
  const representative = details.mode === 'kyc' ? details.representative : null;
  return [
    [details.holder.subjectId, { kind: 'account-request', requestId, role: 'holder' }],
    ...(representative
      ? [
          [representative.subjectId, { kind: 'account-request', requestId, role: 'representative' }] as [
            string,
            PersonMention,
          ],
        ]
      : []),
  ];
}
