import { Inject } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { EvidenceFileDeleted } from '@ponte/contracts';
import type { Blobs, Recorded } from '@ponte/event-sourcing';
import { BLOBS, Policy } from '@ponte/nest';

/** Deletes the bytes of a file after its deletion was recorded. Deleting them again changes nothing. */
@Policy(EvidenceFileDeleted)
export class WhenFileDeletedDeleteBytes implements IEventHandler<Recorded<EvidenceFileDeleted>> {
  constructor(@Inject(BLOBS) private readonly blobs: Pick<Blobs, 'delete'>) {}

  async handle(event: Recorded<EvidenceFileDeleted>): Promise<void> {
    await this.blobs.delete(event.data.fileId);
  }
}
