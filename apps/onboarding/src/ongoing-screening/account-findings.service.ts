import { Inject, Injectable } from '@nestjs/common';
import type { ScreeningFinding } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { OpenedAccount } from '../account/account.state';
import { isOpenRequest, subjectIdOf } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { Persons } from '../person/persons.service';
import { isEvidenceOf } from './finding.domain';

/** The findings about the people of one account, as they are now: lists of findings may be a moment behind. */
@Injectable()
export class AccountFindings {
  constructor(
    private readonly requests: AccountRequests,
    private readonly persons: Persons,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  /** Whether the pending freeze was requested for a true match that was cleared since, even if it was found again. */
  async isFreezeCleared(account: OpenedAccount): Promise<boolean> {
    const { pending } = account.standing;
    if (pending?.step !== 'freeze' || pending.evidence === null) return false;
    const evidence = await this.personalData.open(pending.evidence);
    if (evidence === ERASED) return false;
    const finding = (await this.of(account)).find((one) => isEvidenceOf(one, evidence));
    return finding !== undefined && finding.status !== 'matched' && finding.status !== 'settled';
  }

  async of({ terms: { accountId, holderId, request } }: OpenedAccount): Promise<readonly ScreeningFinding[]> {
    const origin = request && (await this.requests.load(request.requestId));
    const representative = origin && isOpenRequest(origin) ? subjectIdOf(origin, 'representative') : null;
    const subjects = [holderId, ...(representative === null ? [] : [representative])];
    const people = await Promise.all(subjects.map((subjectId) => this.persons.load(subjectId)));
    return people.flatMap(({ findings }) => findings.filter((one) => one.accountId === accountId));
  }
}
