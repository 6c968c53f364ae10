import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ListOverdueCharges } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { ChargeReadModel } from './charges.read-model';

/** Charges past their expiration that are neither paid nor closed, including charges that were never opened. */
export class ListOverdueChargesQuery extends RequestQuery<typeof ListOverdueCharges> {}

@QueryHandler(ListOverdueChargesQuery)
export class ListOverdueChargesHandler implements IQueryHandler<ListOverdueChargesQuery> {
  constructor(private readonly readModel: ChargeReadModel) {}

  async execute({
    payload: { expiredBefore, limit, after },
  }: ListOverdueChargesQuery): Promise<ReplyOf<typeof ListOverdueCharges>> {
    return { charges: await this.readModel.overdue(expiredBefore, limit, after) };
  }
}
