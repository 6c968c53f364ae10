import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { FailedReturn, ListFailedReturns, Page } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { Deposits } from '../deposit/deposits.repository';
import { failedReturnOf } from './failed-return.mapper';
import { isInSuspense } from './suspense.domain';

/** Deposits whose money is or was in suspense, newest first. */
export class ListFailedReturnsQuery extends RequestQuery<typeof ListFailedReturns> {}

@QueryHandler(ListFailedReturnsQuery)
export class ListFailedReturnsHandler implements IQueryHandler<ListFailedReturnsQuery> {
  constructor(
    private readonly readModel: DepositReadModel,
    private readonly deposits: Deposits,
  ) {}

  /** Reads the streams, because a row has no record when the payment named no account. */
  async execute({ payload: { filters, page } }: ListFailedReturnsQuery): Promise<Page<FailedReturn>> {
    const { items, next } = await this.readModel.inSuspense(filters, page);
    const states = await Promise.all(items.map((depositId) => this.deposits.load(depositId)));
    return { items: states.filter(isInSuspense).map(failedReturnOf), next };
  }
}
