import { Inject } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ListOverdueCharges } from '@ponte/contracts';
import type { PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { CHARGE_ROWS } from '../ports/charge-rows';
import type { ChargeRows } from '../ports/charge-rows';

/** Charges past their expiration that are neither paid nor closed, requested but never opened ones included. */
export class ListOverdueChargesQuery extends Query<ReplyOf<typeof ListOverdueCharges>> {
  constructor(readonly payload: PayloadOf<typeof ListOverdueCharges>) { super(); }
}

@QueryHandler(ListOverdueChargesQuery)
export class ListOverdueChargesHandler implements IQueryHandler<ListOverdueChargesQuery> {
  constructor(@Inject(CHARGE_ROWS) private readonly rows: ChargeRows) {}

  async execute({ payload: { expiredBefore, limit, after } }: ListOverdueChargesQuery): Promise<ReplyOf<typeof ListOverdueCharges>> {
    return { charges: await this.rows.overdue(expiredBefore, limit, after) };
  }
}
