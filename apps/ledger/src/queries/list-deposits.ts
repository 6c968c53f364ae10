import { Inject } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { DepositRecord, ListDeposits, Page } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { DEPOSIT_ROWS } from '../ports/deposit-rows';
import type { DepositRows } from '../ports/deposit-rows';

/** Deposits of an account, newest first. */
export class ListDepositsQuery extends Query<Page<DepositRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListDeposits>) { super(); }
}

@QueryHandler(ListDepositsQuery)
export class ListDepositsHandler implements IQueryHandler<ListDepositsQuery> {
  constructor(@Inject(DEPOSIT_ROWS) private readonly rows: DepositRows) {}

  execute({ payload: { accountId, filters, page } }: ListDepositsQuery): Promise<Page<DepositRecord>> {
    return this.rows.page(accountId, filters, page);
  }
}
