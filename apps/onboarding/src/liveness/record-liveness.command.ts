import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RecordLiveness } from '@ponte/contracts';
import { openSecret } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { sharedWith } from './liveness-session.decider';
import { AccountRequests } from '../account-request/account-requests';
import { LivenessSessions } from './liveness-sessions';
import { livenessFingerprint, livenessWord } from '../person/seal-person';

export class RecordLivenessCommand extends RequestCommand<typeof RecordLiveness> {}

/**
 * Records a provider's callback in every request that names the session. A callback that arrives before its request is
 * dropped without harm: screening first records the session, then asks the provider itself.
 */
@CommandHandler(RecordLivenessCommand)
export class RecordLivenessHandler implements ICommandHandler<RecordLivenessCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly sessions: LivenessSessions,
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
      await this.requests.handle(
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
    }
    return { known: session.namedBy.length > 0 };
  }
}
