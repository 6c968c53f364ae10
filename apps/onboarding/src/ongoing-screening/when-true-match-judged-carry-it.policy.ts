import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { EventsHandler } from '@nestjs/cqrs';
import { ScreeningHitJudged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { behindEvent, causedBy } from '@ponte/event-sourcing';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import { personOf } from '../screening/person-matches';
import type { Screening } from '../screening/screening.port';
import { SCREENING } from '../screening/screening.port';
import { ScreenPerson } from './screen-person';

/**
 * Carries a true match to the person's accounts, as a finding, and to their other pending requests, as a hit, without
 * waiting for the next round. No list is searched, so a vendor that does not answer cannot hold it up.
 */
@EventsHandler(ScreeningHitJudged)
export class WhenTrueMatchJudgedCarryIt implements IEventHandler<Recorded<ScreeningHitJudged>> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly people: ScreenPerson,
    @Inject(SCREENING) private readonly screening: Screening,
  ) {}

  async handle(event: Recorded<ScreeningHitJudged>): Promise<void> {
    const { requestId, person, verdict, judgedAt } = event.data;
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state) || !state.verdicts.some((one) => one.judgedAt >= judgedAt))
      return behindEvent(`account request ${requestId}`, state.status);
    if (verdict !== 'true-match') return;
    const context = causedBy(event, 'carry-true-match', 'when-true-match-judged');
    const round = { roundId: event.id, listsVersion: this.screening.listsVersion(), carriesOnly: true };
    const { subjectId } = personOf(state, person);
    await this.people.everywhere(await this.people.read(subjectId), round, context);
  }
}
