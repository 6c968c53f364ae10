import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListDueReturns } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { DepositReadModel } from '../deposit/deposits.read-model';

/** The deposits of an account whose return the bank has not finished, also those that are blocked. */
export class ListDueReturnsQuery extends RequestQuery<typeof ListDueReturns> {}

@QueryHandler(ListDueReturnsQuery)
export class ListDueReturnsHandler implements IQueryHandler<ListDueReturnsQuery> {
  constructor(private readonly deposits: DepositReadModel) {}

  async execute({ payload: { accountId, limit } }: ListDueReturnsQuery): Promise<ReplyOf<typeof ListDueReturns>> {
    return { items: await this.deposits.dueReturns(accountId, limit) };
  }
}
