import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListScreeningFindings, Page, ScreeningFinding, SearchScreeningFindings } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { FindingReadModel } from './findings.read-model';

export class ListScreeningFindingsQuery extends RequestQuery<typeof ListScreeningFindings> {}

const MAX_FINDINGS = 200;

@QueryHandler(ListScreeningFindingsQuery)
export class ListScreeningFindingsHandler implements IQueryHandler<ListScreeningFindingsQuery> {
  constructor(private readonly list: FindingReadModel) {}

  async execute(): Promise<{ readonly findings: readonly ScreeningFinding[] }> {
    return { findings: await this.list.waiting(MAX_FINDINGS) };
  }
}

export class SearchScreeningFindingsQuery extends RequestQuery<typeof SearchScreeningFindings> {}

@QueryHandler(SearchScreeningFindingsQuery)
export class SearchScreeningFindingsHandler implements IQueryHandler<SearchScreeningFindingsQuery> {
  constructor(private readonly list: FindingReadModel) {}

  execute({ payload: { filters, page } }: SearchScreeningFindingsQuery): Promise<Page<ScreeningFinding>> {
    return this.list.page(filters, page);
  }
}
