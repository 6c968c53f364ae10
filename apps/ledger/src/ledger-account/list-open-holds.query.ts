import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ListOpenHolds } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { TRIAL_BALANCE } from '../trial-balance/trial-balance.port';
import type { TrialBalance } from '../trial-balance/trial-balance.port';

/** Holds of an age at which their owner may have forgotten them, oldest first. */
export class ListOpenHoldsQuery extends RequestQuery<typeof ListOpenHolds> {}

@QueryHandler(ListOpenHoldsQuery)
export class ListOpenHoldsHandler implements IQueryHandler<ListOpenHoldsQuery> {
  constructor(@Inject(TRIAL_BALANCE) private readonly trialBalance: TrialBalance) {}

  async execute({
    payload: { ownerKind, placedBefore, limit, after },
  }: ListOpenHoldsQuery): Promise<ReplyOf<typeof ListOpenHolds>> {
    return { holds: await this.trialBalance.openHolds(ownerKind, placedBefore, limit, after) };
  }
}
