import { Injectable } from '@nestjs/common';
import { refuse } from '@ponte/kernel';
import type { ScreeningHit } from '@ponte/contracts';
import { hasFindings, hasTrueMatch, hitsOf, verdictOf } from '../account-request/findings.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import { Accounts } from '../account/accounts';
import { isStopped } from '../account/standing.domain';
import { AccountRequests } from '../account-request/account-requests';
import { Persons } from '../person/persons';

/** The findings of screening and liveness about a person, over all of their account requests. */
@Injectable()
export class PersonFindings {
  constructor(
    private readonly persons: Persons,
    private readonly requests: AccountRequests,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Hits on the person in requests other than this one, under any parent, that staff have not judged false positives. A
   * hit of a whole name must not be lost when a list drops the entry, or when a later request has only a number.
   */
  async uncleared(subjectId: string, requestId: string): Promise<readonly ScreeningHit[]> {
    const { mentions } = await this.persons.load(subjectId);
    const found = await Promise.all(
      mentions.map(async ({ mention }): Promise<readonly ScreeningHit[]> => {
        if (mention.kind !== 'account-request' || mention.requestId === requestId) return [];
        const state = await this.requests.load(mention.requestId);
        if (!isOpenRequest(state)) return [];
        return hitsOf(state)
          .filter((hit) => hit.person === mention.role && verdictOf(state, hit)?.verdict !== 'false-positive')
          .map(({ person: _, ...hit }) => hit);
      }),
    );
    return found.flat();
  }

  /**
   * The ids of the person's accounts, under any parent, that are frozen or were closed for one of `STOPPING_REASONS`.
   * They prevent nothing by themselves, but two approvers decide about another account.
   */
  async stoppedAccounts(subjectId: string): Promise<readonly string[]> {
    const { mentions } = await this.persons.load(subjectId);
    const found = await Promise.all(
      mentions.map(async ({ mention }) => {
        if (mention.kind !== 'account') return [];
        return isStopped(await this.accounts.load(mention.accountId)) ? [mention.accountId] : [];
      }),
    );
    return found.flat();
  }

  /**
   * Prevents an operator from opening a sub-account around a review: refuses `review-by-staff-required` for a person
   * with a stopped account. The account of a partner has no request in which compliance could decide.
   */
  async assertNotStopped(subjectId: string): Promise<void> {
    if ((await this.stoppedAccounts(subjectId)).length > 0)
      refuse(
        'review-by-staff-required',
        'an account of this person was frozen or closed for compliance reasons; create an account request',
        'tax-id',
      );
  }

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
