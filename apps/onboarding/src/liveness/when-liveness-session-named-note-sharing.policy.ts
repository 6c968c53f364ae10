import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus } from '@nestjs/cqrs';
import { LivenessSessionNamed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { Policy } from '@ponte/nest';
import { NoteSharedLivenessCommand } from './note-shared-liveness.command';

/**
 * Notifies the requests that named a session before when another person's request names it too: they may already have
 * the result of the session.
 */
@Policy(LivenessSessionNamed)
export class WhenLivenessSessionNamedNoteSharing implements IEventHandler<Recorded<LivenessSessionNamed>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<LivenessSessionNamed>): Promise<void> {
    const context = causedBy(event, 'note-shared-liveness', 'when-liveness-session-named');
    await this.commands.execute(
      new NoteSharedLivenessCommand(
        { sessionFingerprint: event.data.sessionFingerprint, namedBy: event.data.requestId },
        context,
      ),
    );
  }
}
