import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import { LivenessSessionNamed } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { NoteSharedLivenessCommand } from './note-shared-liveness.command';

/**
 * A request that named the session before may have its result already, so it is notified when another person's request
 * names it too.
 */
@EventsHandler(LivenessSessionNamed)
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
