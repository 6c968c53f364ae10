import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { EvidenceFileRecord, OpenReviewFile } from '@ponte/contracts';
import { RequestCommand } from '@ponte/nest';
import { shownBy } from '../account-request/files.domain';
import { isOpenRequest, subjectIdOf } from '../account-request/account-request.state';
import { fileRecord } from '../evidence-file/evidence-file.decider';
import { AccountRequests } from '../account-request/account-requests.service';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { Persons } from '../person/persons.service';
import { ShownPeople } from './shown-people.service';

export class OpenReviewFileCommand extends RequestCommand<typeof OpenReviewFile> {}

/** A document shows more of a person than any field, so each view of a document is recorded separately. */
@CommandHandler(OpenReviewFileCommand)
export class OpenReviewFileHandler implements ICommandHandler<OpenReviewFileCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly files: EvidenceFiles,
    private readonly persons: Persons,
    private readonly shown: ShownPeople,
  ) {}

  async execute({
    payload: { requestId, fileId, staff, purpose },
    context,
  }: OpenReviewFileCommand): Promise<EvidenceFileRecord | null> {
    const state = await this.requests.load(requestId);
    if (!isOpenRequest(state)) return null;
    const subjectIds = shownBy(state, fileId).flatMap((person) => subjectIdOf(state, person) ?? []);
    if (subjectIds.length === 0) return null;
    // Permission is checked for all people first, so that a refusal for one is not recorded as a view of another.
    for (const subjectId of subjectIds) this.persons.mayView(staff, purpose, await this.persons.load(subjectId));
    for (const subjectId of subjectIds)
      await this.persons.view(subjectId, { staff, purpose, what: 'document', requestId, fileId, note: null }, context);
    const file = await this.files.load(fileId);
    return file.status === 'kept' && (await this.shown.keepsIn(state, fileId)) ? fileRecord(file) : null;
  }
}
