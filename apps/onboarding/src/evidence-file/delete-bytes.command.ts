import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Blobs } from '@ponte/event-sourcing';
import { BLOBS } from '@ponte/nest';

export class DeleteBytesCommand extends Command<void> {
  constructor(
    readonly fileId: string,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/** Deleting what is gone already is done. */
@CommandHandler(DeleteBytesCommand)
export class DeleteBytesHandler implements ICommandHandler<DeleteBytesCommand> {
  constructor(@Inject(BLOBS) private readonly blobs: Pick<Blobs, 'delete'>) {}

  async execute({ fileId }: DeleteBytesCommand): Promise<void> {
    await this.blobs.delete(fileId);
  }
}
