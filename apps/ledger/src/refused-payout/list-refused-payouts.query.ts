import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListRefusedPayouts, Page, RefusedPayoutRecord } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { RefusedPayouts } from './refused-payouts.read-model';

/** Refused payouts of every account, the latest rollback first. */
export class ListRefusedPayoutsQuery extends RequestQuery<typeof ListRefusedPayouts> {}

@QueryHandler(ListRefusedPayoutsQuery)
export class ListRefusedPayoutsHandler implements IQueryHandler<ListRefusedPayoutsQuery> {
  constructor(private readonly payouts: RefusedPayouts) {}

  execute({ payload: { status, page } }: ListRefusedPayoutsQuery): Promise<Page<RefusedPayoutRecord>> {
    return this.payouts.records({ where: status === null ? {} : { status }, page });
  }
}
