import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { AccountRequestRecord, GetAccountRequest, ListAccountRequests, Page } from '@ponte/contracts';
import { isUuid } from '@ponte/kernel';
import { RequestQuery } from '@ponte/nest';
import { AccountRequests } from './account-requests.service';
import { requestRecord } from './account-request.record';
import { isOpenRequest } from './account-request.state';
import { AccountRequestReadModel } from './account-requests.read-model';

export class GetAccountRequestQuery extends RequestQuery<typeof GetAccountRequest> {}

/** A request of another parent is treated as not existing. */
@QueryHandler(GetAccountRequestQuery)
export class GetAccountRequestHandler implements IQueryHandler<GetAccountRequestQuery> {
  constructor(private readonly requests: AccountRequests) {}

  async execute({ payload: { parentId, requestId } }: GetAccountRequestQuery): Promise<AccountRequestRecord | null> {
    if (!isUuid(requestId)) return null;
    const state = await this.requests.load(requestId);
    return isOpenRequest(state) && state.terms.parentId === parentId ? requestRecord(state) : null;
  }
}

export class ListAccountRequestsQuery extends RequestQuery<typeof ListAccountRequests> {}

/** The read model selects the requests; their contents come from the streams, which have the sealed identifier. */
@QueryHandler(ListAccountRequestsQuery)
export class ListAccountRequestsHandler implements IQueryHandler<ListAccountRequestsQuery> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly readModel: AccountRequestReadModel,
  ) {}

  async execute({
    payload: { parentId, status, externalId, page },
  }: ListAccountRequestsQuery): Promise<Page<AccountRequestRecord>> {
    const { items, next } = await this.readModel.table.page({
      where: { parent_id: parentId },
      filters: { status, external_id: externalId },
      page,
    });
    const states = await Promise.all(items.map(({ id }) => this.requests.load(id)));
    return { items: states.filter(isOpenRequest).map(requestRecord), next };
  }
}
