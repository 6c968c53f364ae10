import { Injectable } from '@nestjs/common';
import { refuse } from '@ponte/kernel';
import { hasFindings, hasTrueMatch } from '../account-request/findings.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import { Persons } from '../person/persons';

/** What screening and liveness found about a person, over all of their account requests. */
@Injectable()
export class PersonFindings {
  constructor(
    private readonly persons: Persons,
    private readonly requests: AccountRequests,
  ) {}

  /**
   * An operator's verb must not open an account around a review: refuses `review-by-staff-required` while a request of
   * the person with findings is pending, and for good when staff judged a hit to be the person.
   */
  async assertNone(subjectId: string): Promise<void> {
    const { mentions } = await this.persons.load(subjectId);
    for (const { mention } of mentions) {
      if (mention.kind !== 'account-request') continue;
      const state = await this.requests.load(mention.requestId);
      if (isOpenRequest(state) && (hasTrueMatch(state) || (state.status === 'pending' && hasFindings(state)))) {
        refuse(
          'review-by-staff-required',
          'an account request of this person has findings that compliance has to decide on',
          'tax-id',
        );
      }
    }
  }
}
