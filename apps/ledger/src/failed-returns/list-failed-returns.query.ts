import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { FailedReturn, ListFailedReturns, Page } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import type { Deposit } from '../deposit/deposit.state';
import { refundOf } from '../deposit/deposit.state';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { Deposits } from '../deposit/deposits.repository';

/** Returns that the bank refused for good, which staff must handle. */
export class ListFailedReturnsQuery extends RequestQuery<typeof ListFailedReturns> {}

@QueryHandler(ListFailedReturnsQuery)
export class ListFailedReturnsHandler implements IQueryHandler<ListFailedReturnsQuery> {
  constructor(
    private readonly readModel: DepositReadModel,
    private readonly deposits: Deposits,
  ) {}

  /** Reads the streams, because a row has no record when the payment named no account. */
  async execute({ payload: { page } }: ListFailedReturnsQuery): Promise<Page<FailedReturn>> {
    const { items, next } = await this.readModel.failedReturns(page);
    const states = await Promise.all(items.map((depositId) => this.deposits.load(depositId)));
    return { items: states.flatMap((state) => failedReturn(state) ?? []), next };
  }
}

function failedReturn(state: Deposit): FailedReturn | undefined {
  const refund = refundOf(state);
  if (state.status === 'none' || refund?.state !== 'failed') return undefined;
  const { depositId, accountId, type, asset, amount, endToEndId } = state.facts;
  return {
    ...{ depositId, accountId, type, asset, amount, endToEndId },
    reason: refund.reason,
    attempts: refund.attempt,
    failedAt: refund.failedAt ?? state.updatedAt,
  };
}
