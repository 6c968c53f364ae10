import { Injectable } from '@nestjs/common';
import type { ScreeningFinding } from '@ponte/contracts';
import type { CommandSource, RequestContext } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import type { Person } from '../person/person.decider';
import { Persons } from '../person/persons.service';
import type { FindingCommand } from './finding.domain';
import { FindingReadModel } from './findings.read-model';

/** The findings in the streams of persons. */
@Injectable()
export class Findings {
  constructor(
    private readonly persons: Persons,
    private readonly list: FindingReadModel,
  ) {}

  /** The finding as it is now; null if it does not exist. The list only says whose finding it is. */
  async find(findingId: string): Promise<ScreeningFinding | null> {
    const row = isUuid(findingId) ? await this.list.table.get(findingId) : undefined;
    return row ? findingOf(await this.persons.load(row.record.subjectId), findingId) : null;
  }

  async handle(
    { id, subjectId }: Pick<ScreeningFinding, 'id' | 'subjectId'>,
    command: CommandSource<FindingCommand>,
    context: RequestContext,
  ): Promise<ScreeningFinding | null> {
    return findingOf(await this.persons.handle(subjectId, command, context), id);
  }
}

const findingOf = ({ findings }: Person, findingId: string): ScreeningFinding | null =>
  findings.find(({ id }) => id === findingId) ?? null;
