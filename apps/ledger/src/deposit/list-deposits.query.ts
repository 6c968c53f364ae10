import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { DepositRecord, ListDeposits, Page } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { DepositReadModel } from './deposits.read-model';

/** Deposits of an account, newest first. */
export class ListDepositsQuery extends Query<Page<DepositRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListDeposits>) {
    super();
  }
}

@QueryHandler(ListDepositsQuery)
export class ListDepositsHandler implements IQueryHandler<ListDepositsQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListDepositsQuery): Promise<Page<DepositRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
