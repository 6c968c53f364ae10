import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext, CommandSource } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { EvidenceFile, EvidenceFileCommand } from '../domain/evidence-file/evidence-file';
import { evidenceFile } from '../domain/evidence-file/evidence-file';
import { EvidenceFilesView } from '../views/evidence-files';

/** The streams of the files, and their rows. */
@Injectable()
export class EvidenceFiles {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly view: EvidenceFilesView,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async load(fileId: string): Promise<EvidenceFile> {
    return (await this.aggregates.load(evidenceFile, fileId)).state;
  }

  async handle(
    fileId: string,
    command: CommandSource<EvidenceFileCommand>,
    context: RequestContext,
  ): Promise<EvidenceFile> {
    const { state, revision } = await this.aggregates.handle(
      evidenceFile,
      fileId,
      command,
      commandContext(context, this.clock),
    );
    try {
      await this.view.put(state, revision);
    } catch (error) {
      this.logger.error(
        { ...logged(context), fileId, reason: error instanceof Error ? error.name : typeof error },
        'a file did not reach its view; the catch-up brings it',
      );
    }
    return state;
  }
}
