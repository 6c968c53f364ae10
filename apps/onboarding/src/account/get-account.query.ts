import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountRecord } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { account } from './account.decider';
import { accountRecord } from './account.record';

export class GetAccountQuery extends Query<AccountRecord | null> {
  constructor(readonly accountId: string) {
    super();
  }
}

/** Asked at every request of a partner, so it is answered from the stream's state in memory. */
@QueryHandler(GetAccountQuery)
export class GetAccountHandler implements IQueryHandler<GetAccountQuery> {
  constructor(private readonly aggregates: Aggregates) {}

  async execute({ accountId }: GetAccountQuery): Promise<AccountRecord | null> {
    if (!isUuid(accountId)) return null;
    const { state } = await this.aggregates.load(account, accountId);
    return state.status === 'absent' ? null : accountRecord(state);
  }
}
