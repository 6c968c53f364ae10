import { Injectable } from '@nestjs/common';
import type { PersonMention, ScreenedCase } from '@ponte/contracts';
import { canonicalJson } from '@ponte/kernel';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import { Persons } from '../person/persons';

/** The cases in which a person is screened. */
@Injectable()
export class PersonCases {
  constructor(
    private readonly persons: Persons,
    private readonly requests: AccountRequests,
  ) {}

  /**
   * The requests that name the person, and the accounts that the person holds or represents, under any parent. None for
   * an erased person.
   */
  async of(subjectId: string): Promise<readonly ScreenedCase[]> {
    const { mentions, isKeyDestroyed } = await this.persons.load(subjectId);
    if (isKeyDestroyed) return [];
    const cases = (await Promise.all(mentions.map(({ mention }) => this.casesIn(mention)))).flat();
    return [...new Map(cases.map((one) => [canonicalJson(one), one])).values()];
  }

  private async casesIn(mention: PersonMention): Promise<readonly ScreenedCase[]> {
    if (mention.kind === 'account') return [{ kind: 'account', id: mention.accountId }];
    if (mention.kind !== 'account-request') return [];
    const state = await this.requests.load(mention.requestId);
    if (!isOpenRequest(state)) return [];
    const { requestId, accountId } = state.terms;
    return [
      { kind: 'request', id: requestId },
      { kind: 'account', id: accountId },
    ];
  }
}
