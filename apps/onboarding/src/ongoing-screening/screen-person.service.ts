import { Injectable } from '@nestjs/common';
import type { ScreenedCase } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { canonicalJson, derivedId } from '@ponte/kernel';
import { Accounts } from '../account/accounts.service';
import type { OpenRequest } from '../account-request/account-request.state';
import { isApproved, isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import type { Person as Role } from '../account-request/screening.domain';
import { peopleOf } from '../account-request/screening.domain';
import { mentionsOf } from '../person/person.decider';
import { Persons } from '../person/persons.service';
import type { RequestOfPerson } from '../screening/known-hits.domain';
import { clearedHits, unclearedHits } from '../screening/known-hits.domain';
import { PersonFindings } from '../screening/person-findings.service';
import { personOf, PersonMatches } from '../screening/person-matches.service';
import type { ScreeningMatch } from '../screening/screening.port';
import { isCleared, isUncleared, withOthers } from './new-findings.domain';
import { RaiseFindings } from './raise-findings.service';
import { isScreened, newMatches, unknownHits } from './repeated-screening.domain';

export interface Occasion {
  /** The round, or what else gave rise to the screening. */
  readonly roundId: string;
  readonly listsVersion: string;
  /** Whether only hits of other cases are carried, without a search of the lists. Default: false. */
  readonly carriesOnly?: boolean;
}

/** A person with all of their requests, which are read only once for all of their cases. */
export interface PersonOfCases {
  readonly subjectId: string;
  requests: readonly RequestOfPerson[];
  /** Each case once: pending or ended requests, and accounts, under any parent. */
  readonly cases: readonly ScreenedCase[];
}

/** Screens one person again in their cases. Every result has its own command id, so repeating it changes nothing. */
@Injectable()
export class ScreenPerson {
  constructor(
    private readonly persons: Persons,
    private readonly requests: AccountRequests,
    private readonly accounts: Accounts,
    private readonly findings: RaiseFindings,
    private readonly matches: PersonMatches,
    private readonly known: PersonFindings,
  ) {}

  /** The people of a case who are screened: none if the case has ended. */
  async peopleIn({ kind, id }: ScreenedCase): Promise<readonly string[]> {
    if (kind === 'request') {
      const state = await this.requests.load(id);
      return isOpenRequest(state) && isScreenedAgain(state) ? subjectsOf(state) : [];
    }
    const account = await this.accounts.find(id);
    if (!account || account.status === 'closed') return [];
    const origin = await this.originOf(account.terms.request);
    return origin ? subjectsOf(origin) : [account.terms.holderId];
  }

  /** The person with the requests and accounts that name them. No cases for an erased person. */
  async read(subjectId: string): Promise<PersonOfCases> {
    const person = await this.persons.load(subjectId);
    if (person.isKeyDestroyed) return { subjectId, requests: [], cases: [] };
    const requests = await this.known.requestsOf(subjectId, person);
    const cases = [
      ...mentionsOf(person).flatMap(({ mention }): ScreenedCase[] =>
        mention.kind === 'account' ? [{ kind: 'account', id: mention.accountId }] : [],
      ),
      ...requests.flatMap(({ state: { status, terms } }): ScreenedCase[] => [
        // The account of an active request is the case.
        ...(status === 'active' ? [] : [{ kind: 'request', id: terms.requestId } as const]),
        { kind: 'account', id: terms.accountId },
      ]),
    ];
    return { subjectId, requests, cases: [...new Map(cases.map((one) => [canonicalJson(one), one])).values()] };
  }

  /** Screens the person in one case, and carries hits of their other cases into it. Returns the number of new hits. */
  async inCase(
    person: PersonOfCases,
    screened: ScreenedCase,
    occasion: Occasion,
    context: RequestContext,
  ): Promise<number> {
    const commandId = derivedId('screen-again', occasion.roundId, person.subjectId, canonicalJson(screened));
    const ofCase = { ...context, commandId };
    return screened.kind === 'request'
      ? this.inRequest(person, screened.id, occasion, ofCase)
      : this.inAccount(person, screened.id, occasion, ofCase);
  }

  /** Screens the person in all of their cases. Throws at the first one that fails. */
  async everywhere(person: PersonOfCases, occasion: Occasion, context: RequestContext): Promise<void> {
    for (const screened of person.cases) await this.inCase(person, screened, occasion, context);
  }

  private async inRequest(
    person: PersonOfCases,
    requestId: string,
    occasion: Occasion,
    context: RequestContext,
  ): Promise<number> {
    const state = await this.requests.load(requestId);
    if (isApproved(state)) return this.inAccount(person, state.terms.accountId, occasion, context, state);
    if (!isOpenRequest(state) || !isScreened(state)) return 0;
    let raised = 0;
    for (const role of rolesIn(state, person)) raised += await this.asRole(person, state, role, occasion, context);
    return raised;
  }

  private async asRole(
    person: PersonOfCases,
    state: OpenRequest,
    role: Role,
    occasion: Occasion,
    context: RequestContext,
  ): Promise<number> {
    const { roundId, listsVersion, carriesOnly = false } = occasion;
    const { requestId, accountId } = state.terms;
    const { subjectId } = person;
    return this.findings.unlessErased(subjectId, async ({ findings }) => {
      const matches = carriesOnly ? [] : await this.matches.ofRequest(state, role, context);
      const inFindings = findings.filter(isUncleared).map(({ hit }) => hit);
      const known = [...unclearedHits(person.requests, requestId), ...inFindings];
      const cleared = [...clearedHits(person.requests), ...findings.filter(isCleared).map(({ hit }) => hit)];
      const found = await this.matches.sealed(subjectId, newMatches(state, role, matches, cleared));
      const hits = withOthers(found, unknownHits(state, role, known));
      if (hits.length === 0) return 0;
      const commandId = derivedId('screen-again', roundId, requestId, role);
      const command = { kind: 'repeat-screening', person: role, hits, listsVersion } as const;
      const outcome = await this.requests.handle(requestId, (at) => ({ ...command, at }), { ...context, commandId });
      // Approved since it was read, so it recorded nothing. The hits are about the account then.
      if (isApproved(outcome.state)) return this.inAccount(person, accountId, occasion, context, outcome.state);
      // The next case of the person learns of these hits.
      person.requests = person.requests.map((one) =>
        one.state.terms.requestId === requestId && isOpenRequest(outcome.state)
          ? { ...one, state: outcome.state }
          : one,
      );
      return hits.length;
    });
  }

  /**
   * As in the request that the account comes from; as the holder alone if an operator opened it. With the approved
   * request, the account need not be open yet: the finding then waits for it.
   */
  private async inAccount(
    person: PersonOfCases,
    accountId: string,
    { roundId: source, listsVersion, carriesOnly = false }: Occasion,
    context: RequestContext,
    approved?: OpenRequest,
  ): Promise<number> {
    const account = await this.accounts.find(accountId);
    if (account?.status === 'closed') return 0;
    const { subjectId } = person;
    const raise = (role: Role, find: () => Promise<readonly ScreeningMatch[]>): Promise<number> =>
      this.findings.raise(
        { subjectId, accountId, person: role },
        carriesOnly ? async () => [] : find,
        { source, listsVersion },
        context,
        person.requests,
      );
    const origin = approved ?? (await this.originOf(account?.terms.request));
    if (!origin)
      return account?.terms.holderId === subjectId ? raise('holder', () => this.matches.ofHolder(account.terms)) : 0;
    let raised = 0;
    for (const role of rolesIn(origin, person))
      raised += await raise(role, () => this.matches.ofPerson(personOf(origin, role)));
    return raised;
  }

  private async originOf(request: { readonly requestId: string } | null | undefined): Promise<OpenRequest | null> {
    const origin = request && (await this.requests.load(request.requestId));
    return origin && isOpenRequest(origin) ? origin : null;
  }
}

/** Whether a round screens the people of the request: in the request itself, or in its account. */
export const isScreenedAgain = (state: OpenRequest): boolean => isScreened(state) || isApproved(state);

const rolesIn = (state: OpenRequest, { subjectId }: PersonOfCases): readonly Role[] =>
  peopleOf(state).filter((role) => personOf(state, role).subjectId === subjectId);

const subjectsOf = (state: OpenRequest): readonly string[] => [
  ...new Set(peopleOf(state).map((role) => personOf(state, role).subjectId)),
];
