import type { IEventHandler } from '@nestjs/cqrs';
import { AccountOpened, AccountRequested } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import type { Mentioned } from './mentions.domain';
import { mentionOfAccount, mentionsOfRequest } from './mentions.domain';
import { Persons } from './persons.service';

/**
 * Records where a person is mentioned, so that a privacy report finds all data held about them, and an erasure finds
 * every record that must be kept. The records of this service are noted before they are written; this notes an account
 * that an approved request opened, and what an earlier release wrote.
 */
@Policy(AccountRequested, AccountOpened)
export class WhenPersonNamedNoteMention implements IEventHandler<Recorded<AccountRequested | AccountOpened>> {
  constructor(private readonly persons: Persons) {}

  async handle(event: Recorded<AccountRequested | AccountOpened>): Promise<void> {
    const context = causedBy(event, 'note-mention', 'when-person-named');
    for (const { subjectId, mention } of mentionsOf(event)) {
      await this.persons.handle(subjectId, (at) => ({ kind: 'mention', subjectId, mention, at }), context);
    }
  }
}

const mentionsOf = (event: Recorded<AccountRequested | AccountOpened>): Mentioned[] =>
  event.type === 'AccountOpened' ? [mentionOfAccount(event.data)] : mentionsOfRequest(event.data);
