import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { OpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { RequestTraits } from '../duplicates/request-traits.service';
import { peopleOf } from '../account-request/screening.domain';
import { LivenessSessions } from '../liveness/liveness-sessions.service';
import { PersonFindings } from '../screening/person-findings.service';
import { personOf } from '../screening/person-matches.service';
import type { RelatedFindings } from './related-findings.domain';

/** Reads what a case shows that other streams keep. Policies that record some of it in the request may lag. */
@Injectable()
export class RelatedFindingsReader {
  constructor(
    private readonly requests: AccountRequests,
    private readonly sessions: LivenessSessions,
    private readonly traits: RequestTraits,
    private readonly findings: PersonFindings,
  ) {}

  async find(state: OpenRequest): Promise<RelatedFindings> {
    const session = state.parts.liveness;
    return {
      liveness: session && {
        sessionFingerprint: session.fingerprint,
        sharedWith: await this.sessions.sharersOf(state),
      },
      duplicates: await this.traits.duplicateIdsOf(state),
      stopped: await Promise.all(
        peopleOf(state).map(async (person) => ({
          person,
          accountIds: await this.findings.stoppedAccounts(personOf(state, person).subjectId),
        })),
      ),
    };
  }

  /** Records it in the request, so that the version of the case includes everything that the case shows. */
  async recordIn(state: OpenRequest, context: RequestContext): Promise<OpenRequest> {
    const { requestId } = state.terms;
    const found = await this.find(state);
    return this.requests.move(requestId, (at) => ({ kind: 'note-related-findings', found, at }), {
      ...context,
      commandId: derivedId('note-found-elsewhere', context.commandId, requestId),
    });
  }
}
