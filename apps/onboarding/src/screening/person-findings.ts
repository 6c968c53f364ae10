import { Injectable } from '@nestjs/common';
import { refuse } from '@ponte/kernel';
import { hasFindings, hasTrueMatch } from '../account-request/findings.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import { Persons } from '../person/persons';

/** The findings of screening and liveness about a person, over all of their account requests. */
@Injectable()
export class PersonFindings {
  constructor(
    private readonly persons: Persons,
    private readonly requests: AccountRequests,
  ) {}

  /**
   * Prevents an operator from opening an account around a review. Refuses `review-by-staff-required` while a request of
   * the person with findings is pending, and permanently if staff judged a hit a true match.
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
