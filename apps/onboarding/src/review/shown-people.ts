import { Injectable } from '@nestjs/common';
import { shownBy } from '../account-request/files.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest, subjectIdOf } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { Persons } from '../person/persons';

/**
 * Whom the files show. One file may be named by the requests of several people, and is part of the record of each of
 * them.
 */
@Injectable()
export class ShownPeople {
  constructor(
    private readonly requests: AccountRequests,
    private readonly files: EvidenceFiles,
    private readonly persons: Persons,
  ) {}

  /** Whether a request still names the file for someone who was not erased: then its bytes are not to go. */
  async keep(fileId: string): Promise<boolean> {
    const file = await this.files.load(fileId);
    if (file.status !== 'kept') return false;
    const states = await Promise.all(file.referencedBy.map((requestId) => this.requests.load(requestId)));
    return someOf(states.filter(isOpenRequest), (state) => this.keepsIn(state, fileId));
  }

  /**
   * The same within one request: data that is kept for another person's record is not shown with the record of the
   * person who was erased.
   */
  async keepsIn(state: OpenRequest, fileId: string): Promise<boolean> {
    return someOf(shownBy(state, fileId), async (person) => {
      const subjectId = subjectIdOf(state, person);
      return subjectId !== null && (await this.persons.load(subjectId)).status !== 'erased';
    });
  }
}

const someOf = async <T>(all: readonly T[], is: (one: T) => Promise<boolean>): Promise<boolean> =>
  (await Promise.all(all.map(is))).includes(true);
