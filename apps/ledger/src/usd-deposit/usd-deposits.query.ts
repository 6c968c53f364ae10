import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { DepositRecord, ListUsdDeposits, Page } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { DepositReadModel } from '../deposit/deposits.read-model';

/** USD deposits of every account, newest first. */
export class ListUsdDepositsQuery extends RequestQuery<typeof ListUsdDeposits> {}

@QueryHandler(ListUsdDepositsQuery)
export class ListUsdDepositsHandler implements IQueryHandler<ListUsdDepositsQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  execute({ payload: { status, page } }: ListUsdDepositsQuery): Promise<Page<DepositRecord>> {
    return this.readModel.pageOfType('manual-fx', status, page);
  }
}
