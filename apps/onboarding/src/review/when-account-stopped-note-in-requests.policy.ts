import type { IEventHandler } from '@nestjs/cqrs';
import { AccountClosed, AccountFrozen } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { behindEvent, causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { Accounts } from '../account/accounts.service';
import { isStopped } from '../account/standing.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { mentionsOf } from '../person/person.decider';
import { Persons } from '../person/persons.service';
import { RelatedFindingsReader } from './related-findings-reader.service';

/**
 * Notes in the pending requests that name the holder that the account was stopped, so that the queue shows it before a
 * case is opened. Opening a case and deciding about it read it again, in case this comes late.
 */
@Policy(AccountFrozen, AccountClosed)
export class WhenAccountStoppedNoteInRequests implements IEventHandler<Recorded<AccountFrozen | AccountClosed>> {
  constructor(
    private readonly accounts: Accounts,
    private readonly persons: Persons,
    private readonly requests: AccountRequests,
    private readonly related: RelatedFindingsReader,
  ) {}

  async handle(event: Recorded<AccountFrozen | AccountClosed>): Promise<void> {
    const account = await this.accounts.load(event.data.accountId);
    const at = event.type === 'AccountFrozen' ? event.data.frozenAt : event.data.closedAt;
    if (account.status === 'absent' || !account.standing.history.some((entry) => entry.at >= at))
      return behindEvent(`account ${event.data.accountId}`, account.status);
    if (!isStopped(account)) return;
    for (const { mention } of mentionsOf(await this.persons.load(account.terms.holderId))) {
      if (mention.kind !== 'account-request') continue;
      const request = await this.requests.load(mention.requestId);
      if (!isOpenRequest(request) || request.status !== 'pending') continue;
      await this.related.recordIn(request, causedBy(event, 'note-stopped-account', 'when-account-stopped'));
    }
  }
}
