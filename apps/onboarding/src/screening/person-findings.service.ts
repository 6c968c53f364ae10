import { Injectable } from '@nestjs/common';
import { lruCache, refuse } from '@ponte/kernel';
import type { ScreeningHit } from '@ponte/contracts';
import { hasFindings, hasTrueMatch, hitsOf, isSameContent, openHits } from '../account-request/findings.domain';
import type { AccountRequest } from '../account-request/account-request.state';
import { isNamedIn, isOpenRequest } from '../account-request/account-request.state';
import { Accounts } from '../account/accounts.service';
import { isStopped } from '../account/standing.domain';
import { AccountRequests } from '../account-request/account-requests.service';
import { isCleared, isUncleared } from '../ongoing-screening/new-findings.domain';
import type { Person } from '../person/person.decider';
import { mentionsOf } from '../person/person.decider';
import { Persons } from '../person/persons.service';
import type { RequestOfPerson } from './known-hits.domain';
import { clearedHits, unclearedHits } from './known-hits.domain';

/** How many requests that ended without a hit are remembered. A request that was forgotten is read again. */
const REMEMBERED = 100_000;

/** The findings of screening and liveness about a person, over all of their account requests. */
@Injectable()
export class PersonFindings {
  /** Requests that ended without a hit. */
  private readonly silent = lruCache<string, true>(REMEMBERED);

  constructor(
    private readonly persons: Persons,
    private readonly requests: AccountRequests,
    private readonly accounts: Accounts,
  ) {}

  /**
   * `uncleared`: hits on the person in requests other than this one and in findings about accounts, under any parent,
   * that staff have not judged false positives. A hit of a whole name must not be lost when a list drops the entry, or
   * when a later request has only a number. `cleared`: hits in any request that staff have judged false positives.
   */
  async ofOthers(
    subjectId: string,
    requestId: string,
  ): Promise<{ readonly uncleared: readonly ScreeningHit[]; readonly cleared: readonly ScreeningHit[] }> {
    const person = await this.persons.load(subjectId);
    const requests = await this.requestsOf(subjectId, person);
    const hits = (isWanted: typeof isCleared) => person.findings.filter(isWanted).map(({ hit }) => hit);
    return {
      uncleared: [...unclearedHits(requests, requestId), ...hits(isUncleared)],
      cleared: [...clearedHits(requests), ...hits(isCleared)],
    };
  }

  /**
   * The ids of the person's accounts, under any parent, that are frozen or were closed for one of `STOPPING_REASONS`.
   * They prevent nothing by themselves, but two approvers decide about another account.
   */
  async stoppedAccounts(subjectId: string): Promise<readonly string[]> {
    const person = await this.persons.load(subjectId);
    const found = await Promise.all(
      mentionsOf(person).map(async ({ mention }) => {
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
   * the person with findings is pending, while a hit on the person has no verdict although its request has ended, while
   * an account of the person has a finding that is not cleared, and permanently if staff judged a hit a true match.
   */
  async assertNone(subjectId: string): Promise<void> {
    const person = await this.persons.load(subjectId);
    if (person.findings.some(isUncleared))
      refuse(
        'review-by-staff-required',
        'an account of this person has a screening finding that compliance has not cleared',
        'tax-id',
      );
    const requests = await this.requestsOf(subjectId, person);
    const cleared = clearedHits(requests);
    const isOpen = ({ state, role }: RequestOfPerson): boolean =>
      openHits(state).some((hit) => hit.person === role && !cleared.some((one) => clears(one, hit)));
    for (const request of requests) {
      const { state } = request;
      if (hasTrueMatch(state) || (state.status === 'pending' && hasFindings(state)) || isOpen(request)) {
        refuse(
          'review-by-staff-required',
          'an account request of this person has findings that compliance has to decide on',
          'tax-id',
        );
      }
    }
  }

  /**
   * The requests that name the person, under any parent, without those that ended without a hit. These say nothing
   * about the person, and a partner may make and cancel any number: each is read once, because it no longer changes.
   */
  async requestsOf(subjectId: string, person: Pick<Person, 'mentions'>): Promise<readonly RequestOfPerson[]> {
    const found = await Promise.all(
      mentionsOf(person).map(async ({ mention }): Promise<RequestOfPerson[]> => {
        if (mention.kind !== 'account-request' || this.silent.has(mention.requestId)) return [];
        const state = await this.requests.load(mention.requestId);
        if (hasEndedWithoutHits(state)) {
          this.silent.set(mention.requestId, true);
          return [];
        }
        return isNamedIn(state, mention.role, subjectId) ? [{ state, role: mention.role }] : [];
      }),
    );
    return found.flat();
  }
}

/** Nothing is screened or judged in these requests any more, and no account comes from them. */
const ENDED: readonly AccountRequest['status'][] = ['cancelled', 'rejected', 'expired'];

const hasEndedWithoutHits = (state: AccountRequest): boolean =>
  isOpenRequest(state) && ENDED.includes(state.status) && hitsOf(state).length === 0;

/** Whether the false positive counts for the hit too, in whatever request of the person it was judged. */
const clears = (falsePositive: ScreeningHit, hit: ScreeningHit): boolean =>
  falsePositive.list === hit.list &&
  falsePositive.entryId === hit.entryId &&
  falsePositive.score === hit.score &&
  isSameContent(falsePositive, hit);
