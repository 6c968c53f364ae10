import { Inject, Injectable } from '@nestjs/common';
import type { PersonalData, RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { EvidenceFiles } from './evidence-files';
import { Holdings } from './holdings';
import { Persons } from './persons';

/** What the fact of an erasure obliges to: repeated by a policy until it is done. */
@Injectable()
export class Shredder {
  constructor(
    private readonly persons: Persons, private readonly holdings: Holdings, private readonly files: EvidenceFiles,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async shred(subjectId: string, context: RequestContext): Promise<void> {
    const fileIds = await this.holdings.fileIds(await this.persons.load(subjectId));
    await this.personalData.erase(subjectId);
    await Promise.all(fileIds.map((fileId) =>
      this.files.handle(fileId, (at) => ({ kind: 'delete', reason: 'person-erased', at }), { ...context, commandId: derivedId('erase-file', fileId) })));
  }
}
