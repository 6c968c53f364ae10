import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { ScreeningFindingJudged, ScreeningHitJudged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { behindEvent, causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { Persons } from '../person/persons.service';
import { personOf } from '../screening/person-matches.service';
import type { Screening } from '../screening/screening.port';
import { SCREENING } from '../screening/screening.port';
import { ScreenPerson } from './screen-person.service';

type Judged = ScreeningHitJudged | ScreeningFindingJudged;

/**
 * Carries a true match, in a request or about an account, to the person's other accounts, as a finding, and to their
 * other pending requests, as a hit, without waiting for the next round. No list is searched, so a vendor that does not
 * answer cannot hold it up.
 */
@Policy(ScreeningHitJudged, ScreeningFindingJudged)
export class WhenTrueMatchJudgedCarryIt implements IEventHandler<Recorded<Judged>> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly persons: Persons,
    private readonly people: ScreenPerson,
    @Inject(SCREENING) private readonly screening: Screening,
  ) {}

  async handle(event: Recorded<Judged>): Promise<void> {
    const { data } = event;
    const subjectId = 'findingId' in data ? await this.personOfFinding(data) : await this.personOfHit(data);
    if (data.verdict !== 'true-match') return;
    const context = causedBy(event, 'carry-true-match', 'when-true-match-judged');
    const round = { roundId: event.id, listsVersion: this.screening.listsVersion(), carriesOnly: true };
    await this.people.everywhere(await this.people.read(subjectId), round, context);
  }

  private async personOfHit({ requestId, person, judgedAt }: ScreeningHitJudged['data']): Promise<string> {
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state) || !state.verdicts.some((one) => one.judgedAt >= judgedAt))
      return behindEvent(`account request ${requestId}`, state.status);
    return personOf(state, person).subjectId;
  }

  private async personOfFinding({ subjectId, findingId, judgedAt }: ScreeningFindingJudged['data']): Promise<string> {
    const { status, findings } = await this.persons.load(subjectId);
    const finding = findings.find(({ id }) => id === findingId);
    // Each opening of a finding begins a new list of verdicts.
    const isKnown =
      finding && (finding.openedAt >= judgedAt || finding.verdicts.some((one) => one.judgedAt >= judgedAt));
    return isKnown ? subjectId : behindEvent(`person ${subjectId}`, status);
  }
}
