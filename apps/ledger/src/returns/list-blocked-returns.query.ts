import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListBlockedReturns } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { BlockedReturns } from './blocked-returns.read-model';

/** The deposits of an account whose return waits until money may leave it again. */
export class ListBlockedReturnsQuery extends RequestQuery<typeof ListBlockedReturns> {}

@QueryHandler(ListBlockedReturnsQuery)
export class ListBlockedReturnsHandler implements IQueryHandler<ListBlockedReturnsQuery> {
  constructor(private readonly blocked: BlockedReturns) {}

  async execute({
    payload: { accountId, limit },
  }: ListBlockedReturnsQuery): Promise<ReplyOf<typeof ListBlockedReturns>> {
    return { items: await this.blocked.of(accountId, limit) };
  }
}
