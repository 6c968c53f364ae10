import { Injectable } from '@nestjs/common';
import type { ScreeningFinding } from '@ponte/contracts';
import type { OpenedAccount } from '../account/account.state';
import { isOpenRequest, subjectIdOf } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import { Persons } from '../person/persons';

/** The findings about the people of one account, as they are now: lists of findings may be a moment behind. */
@Injectable()
export class AccountFindings {
  constructor(
    private readonly requests: AccountRequests,
    private readonly persons: Persons,
  ) {}

  async of({ terms: { accountId, holderId, request } }: OpenedAccount): Promise<readonly ScreeningFinding[]> {
    const origin = request && (await this.requests.load(request.requestId));
    const representative = origin && isOpenRequest(origin) ? subjectIdOf(origin, 'representative') : null;
    const subjects = [holderId, ...(representative === null ? [] : [representative])];
    const people = await Promise.all(subjects.map((subjectId) => this.persons.load(subjectId)));
    return people.flatMap(({ findings }) => findings.filter((one) => one.accountId === accountId));
  }
}
