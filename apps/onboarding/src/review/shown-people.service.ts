import { Injectable } from '@nestjs/common';
import { shownBy } from '../account-request/files.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest, subjectIdOf } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { Persons } from '../person/persons.service';

/** The people that files show. A file may be named by requests of several people, and is part of each one's record. */
@Injectable()
export class ShownPeople {
  constructor(
    private readonly requests: AccountRequests,
    private readonly files: EvidenceFiles,
    private readonly persons: Persons,
  ) {}

  /** Whether any request still names the file for a person who was not erased. If so, its bytes must be kept. */
  async keep(fileId: string): Promise<boolean> {
    const file = await this.files.load(fileId);
    if (file.status !== 'kept') return false;
    const states = await Promise.all(file.referencedBy.map((requestId) => this.requests.load(requestId)));
    return someOf(states.filter(isOpenRequest), (state) => this.keepsIn(state, fileId));
  }

  /**
   * The same check within one request: data kept for another person's record is not shown in the record of the erased
   * person.
   */
  async keepsIn(state: OpenRequest, fileId: string): Promise<boolean> {
    return someOf(shownBy(state, fileId), async (person) => {
      const subjectId = subjectIdOf(state, person);
      return subjectId !== null && !(await this.persons.load(subjectId)).isKeyDestroyed;
    });
  }
}

const someOf = async <T>(all: readonly T[], is: (one: T) => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(all.map(is))).includes(true);
