import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RecordLiveness, Timestamp } from '@ponte/contracts';
import { openSecret } from '@ponte/contracts';
import type { PersonalData, RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import type { OpenRequest } from '../account-request/account-request.state';
import { isApproved } from '../account-request/account-request.state';
import { sharedWith } from './liveness-session.decider';
import { AccountRequests } from '../account-request/account-requests.service';
import { isLateFailure } from './liveness-words.domain';
import { LivenessSessions } from './liveness-sessions.service';
import { LIVENESS_LIST } from '../screening/own-lists.domain';
import { RaiseFindings } from '../ongoing-screening/raise-findings.service';
import { livenessFingerprint, livenessWord } from '../person/seal-person';

export class RecordLivenessCommand extends RequestCommand<typeof RecordLiveness> {}

/**
 * Records a provider's callback in every request that names the session. A callback that arrives before its request is
 * dropped without harm: screening first records the session, then asks the provider itself. A decided request does not
 * change, so a failure that its approvers did not know of opens a finding about the account.
 */
@CommandHandler(RecordLivenessCommand)
export class RecordLivenessHandler implements ICommandHandler<RecordLivenessCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly sessions: LivenessSessions,
    private readonly findings: RaiseFindings,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload, context }: RecordLivenessCommand): Promise<{ known: boolean }> {
    const { provider, outcome, decidedAt } = payload;
    const id = await openSecret(this.personalData, payload.sessionId);
    const providerEventId = livenessWord(this.personalData, provider, payload.providerEventId);
    const sessionFingerprint = livenessFingerprint(this.personalData, { provider, id });
    const session = await this.sessions.load(sessionFingerprint);
    for (const { requestId, subjectId } of session.namedBy) {
      const others = sharedWith(session, subjectId);
      const { state } = await this.requests.handle(
        requestId,
        (at) => ({
          kind: 'record-liveness',
          sessionFingerprint,
          provider,
          providerEventId,
          outcome,
          decidedAt,
          sharedWith: others,
          at,
        }),
        { ...context, commandId: derivedId('record-liveness', context.commandId, requestId) },
      );
      if (!isApproved(state)) continue;
      if (isLateFailure({ sessionFingerprint, outcome, decidedAt }, state.liveness, state.hasFailedLiveness))
        await this.raise(state, { subjectId, provider, providerEventId, decidedAt }, context);
    }
    return { known: session.namedBy.length > 0 };
  }

  /** The entry of the finding is the request, which leads to the evidence. Repeated callbacks open it once. */
  private async raise(
    { terms: { requestId, accountId } }: OpenRequest,
    { subjectId, provider, providerEventId, decidedAt }: LateFailure,
    context: RequestContext,
  ): Promise<void> {
    const matchedOn = `the session of the request failed at ${provider} on ${decidedAt}, after the approval`;
    const entry = { list: LIVENESS_LIST, entryId: requestId, entryVersion: providerEventId };
    await this.findings.raise(
      { subjectId, accountId, person: 'holder' },
      async () => [{ ...entry, score: 100, matchedOn }],
      { source: derivedId('late-liveness', requestId, providerEventId), listsVersion: LIVENESS_LIST },
      context,
    );
  }
}

interface LateFailure {
  readonly subjectId: string;
  readonly provider: string;
  readonly providerEventId: string;
  readonly decidedAt: Timestamp;
}
