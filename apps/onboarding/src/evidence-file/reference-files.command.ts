import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PayloadCommand } from '@ponte/nest';
import { filesOf } from '../account-request/files.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { EvidenceFiles } from './evidence-files.repository';

/**
 * Marks the files of a request as referenced, so that they are kept as long as its records. `atLeast` is the revision
 * of the event that names them.
 */
export class ReferenceFilesCommand extends PayloadCommand<{ readonly requestId: string; readonly atLeast: number }> {}

@CommandHandler(ReferenceFilesCommand)
export class ReferenceFilesHandler implements ICommandHandler<ReferenceFilesCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly files: EvidenceFiles,
  ) {}

  async execute({ payload: { requestId, atLeast }, context }: ReferenceFilesCommand): Promise<void> {
    const { state, revision } = await this.requests.loadWithRevision(requestId);
    // An older state names fewer files, and the files that it lacks would be deleted.
    if (!isOpenRequest(state) || revision < atLeast)
      return behindEvent(`account request ${requestId}`, `revision ${revision}`);
    await Promise.all(
      filesOf(state).map(({ fileId }) =>
        this.files.execute(fileId, (at) => ({ kind: 'reference', requestId, at }), {
          ...context,
          commandId: derivedId('reference', requestId, fileId),
        }),
      ),
    );
  }
}
