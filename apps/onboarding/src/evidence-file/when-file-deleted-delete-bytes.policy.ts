import type { IEventHandler } from '@nestjs/cqrs';
import { CommandBus, EventsHandler } from '@nestjs/cqrs';
import { EvidenceFileDeleted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { DeleteBytesCommand } from './delete-bytes.command';

/** The fact stands first; the bytes follow, as often as it takes. */
@EventsHandler(EvidenceFileDeleted)
export class WhenFileDeletedDeleteBytes implements IEventHandler<Recorded<EvidenceFileDeleted>> {
  constructor(private readonly commands: CommandBus) {}

  async handle(event: Recorded<EvidenceFileDeleted>): Promise<void> {
    await this.commands.execute(
      new DeleteBytesCommand(event.data.fileId, causedBy(event, 'delete-bytes', 'when-file-deleted-delete-bytes')),
    );
  }
}
