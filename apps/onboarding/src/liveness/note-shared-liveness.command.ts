import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { concernedBy, sharedWith } from './liveness-session.decider';
import { AccountRequests } from '../account-request/account-requests.service';
import { LivenessSessions } from './liveness-sessions.service';

export class NoteSharedLivenessCommand extends PayloadCommand<{
  readonly sessionFingerprint: string;
  readonly namedBy: string;
}> {}

/**
 * Records in the requests that the naming by `namedBy` concerns which other requests name the session. `namedBy` has
 * certainly named it. Repeating the command changes nothing.
 */
@CommandHandler(NoteSharedLivenessCommand)
export class NoteSharedLivenessHandler implements ICommandHandler<NoteSharedLivenessCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly sessions: LivenessSessions,
  ) {}

  async execute({ payload: { sessionFingerprint, namedBy }, context }: NoteSharedLivenessCommand): Promise<void> {
    const session = await this.sessions.load(sessionFingerprint);
    const concerned = concernedBy(session, namedBy);
    if (concerned.length === 0) behindEvent(`liveness session of ${namedBy}`, 'not named');
    for (const { requestId, subjectId } of concerned) {
      const sharers = sharedWith(session, subjectId);
      if (sharers.length === 0) continue;
      const { status } = await this.requests.load(requestId);
      if (status === 'absent') behindEvent(`account request ${requestId}`, status);
      const commandId = derivedId('note-shared-liveness', context.commandId, requestId);
      await this.requests.handle(
        requestId,
        (at) => ({ kind: 'note-shared-liveness', sessionFingerprint, sharedWith: sharers, at }),
        { ...context, commandId },
      );
    }
  }
}
