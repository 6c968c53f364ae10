import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { EvidenceFileRecord, OpenReviewFile } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { filesOf } from '../domain/account-request/files';
import { isOpenRequest } from '../domain/account-request/state';
import { fileRecord } from '../domain/evidence-file/evidence-file';
import { AccountRequests } from './account-requests';
import { EvidenceFiles } from './evidence-files';
import { Persons } from './persons';

export class OpenReviewFileCommand extends Command<EvidenceFileRecord | null> {
  constructor(readonly payload: PayloadOf<typeof OpenReviewFile>, readonly context: RequestContext) { super(); }
}

/** A document shows more of a person than any field: looking at one is written down by itself. */
@CommandHandler(OpenReviewFileCommand)
export class OpenReviewFileHandler implements ICommandHandler<OpenReviewFileCommand> {
  constructor(private readonly requests: AccountRequests, private readonly files: EvidenceFiles, private readonly persons: Persons) {}

  async execute({ payload: { requestId, fileId, staff, purpose }, context }: OpenReviewFileCommand): Promise<EvidenceFileRecord | null> {
    const state = await this.requests.load(requestId);
    const named = isOpenRequest(state) ? filesOf(state).find((one) => one.fileId === fileId) : undefined;
    const subjectId = named && (await this.persons.subjectOf({ kind: 'request', requestId, person: named.person }));
    if (!subjectId) return null;
    await this.persons.view(subjectId, { staff, purpose, what: 'document', requestId, fileId, note: null }, context);
    const file = await this.files.load(fileId);
    return file.status === 'kept' ? fileRecord(file) : null;
  }
}
