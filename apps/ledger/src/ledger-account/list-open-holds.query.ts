import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ListOpenHolds } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { OpenHolds } from '../trial-balance/trial-balance.read-model';

/** Lists holds old enough that their owner may have forgotten them, oldest first. */
export class ListOpenHoldsQuery extends RequestQuery<typeof ListOpenHolds> {}

@QueryHandler(ListOpenHoldsQuery)
export class ListOpenHoldsHandler implements IQueryHandler<ListOpenHoldsQuery> {
  constructor(private readonly holds: OpenHolds) {}

  async execute({
    payload: { ownerKind, placedBefore, limit, after },
  }: ListOpenHoldsQuery): Promise<ReplyOf<typeof ListOpenHolds>> {
    return { holds: await this.holds.page(ownerKind, placedBefore, limit, after) };
  }
}
