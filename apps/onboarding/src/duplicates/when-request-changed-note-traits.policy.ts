import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import { AccountRequested, InformationProvided } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { NoteRequestTraitsCommand } from './note-request-traits.command';

/** What came with a request, or later, is compared with every other request from then on. */
@EventsHandler(AccountRequested, InformationProvided)
export class WhenRequestChangedNoteTraits implements IEventHandler<Recorded<AccountRequested | InformationProvided>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<AccountRequested | InformationProvided>): Promise<void> {
    await this.commands.execute(
      new NoteRequestTraitsCommand(
        event.data.requestId,
        event.revision,
        causedBy(event, 'note-request-traits', 'when-request-changed'),
      ),
    );
  }
}
