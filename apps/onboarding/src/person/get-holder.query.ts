import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { HolderRecord } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { account } from '../account/account.decider';
import { holderRecord } from '../account/account.record';

export class GetHolderQuery extends Query<HolderRecord | null> {
  constructor(readonly accountId: string) {
    super();
  }
}

/** From the stream: the view knows nothing personal, not even sealed. */
@QueryHandler(GetHolderQuery)
export class GetHolderHandler implements IQueryHandler<GetHolderQuery> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ accountId }: GetHolderQuery): Promise<HolderRecord | null> {
    if (!isUuid(accountId)) return null;
    const { state } = await this.aggregates.load(account, accountId);
    return state.status === 'absent' ? null : holderRecord(state);
  }
}
