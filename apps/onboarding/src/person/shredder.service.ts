import { Inject, Injectable } from '@nestjs/common';
import type { PersonalData, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { erasedSubjects } from './person.decider';
import { PersonalDataInventory } from './personal-data-inventory.service';
import { Persons } from './persons.service';
import { ShownPeople } from '../review/shown-people.service';

/** Executes a recorded erasure. A policy repeats it until it succeeds. */
@Injectable()
export class Shredder {
  constructor(
    private readonly persons: Persons,
    private readonly inventory: PersonalDataInventory,
    private readonly files: EvidenceFiles,
    private readonly shown: ShownPeople,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async shred(subjectId: string, context: RequestContext): Promise<void> {
    const person = await this.persons.load(subjectId);
    // An older state may lack a file that has to be deleted.
    if (!person.isKeyDestroyed) behindEvent(`person ${subjectId}`, person.status);
    const fileIds = await this.inventory.fileIds(subjectId, person);
    for (const subject of erasedSubjects(subjectId, person)) await this.personalData.erase(subject);
    await Promise.all(fileIds.map((fileId) => this.deleteUnkept(fileId, context)));
  }

  /** If two people are erased at once, each erasure is recorded before its own check, so the later check sees both. */
  private async deleteUnkept(fileId: string, context: RequestContext): Promise<void> {
    if (await this.shown.keep(fileId)) return;
    await this.files.execute(fileId, (at) => ({ kind: 'delete', reason: 'person-erased', at }), {
      ...context,
      commandId: derivedId('erase-file', fileId),
    });
  }
}
