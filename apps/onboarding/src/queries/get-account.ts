import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountRecord } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import type { MaybeLater } from '@ponte/kernel';
import { andThen, isUuid } from '@ponte/kernel';
import { account } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';

export class GetAccountQuery extends Query<AccountRecord | null> {
  constructor(readonly accountId: string) {
    super();
  }
}

/** Asked at every request of a partner, so it is answered from the stream's state in memory. */
@QueryHandler(GetAccountQuery)
export class GetAccountHandler {
  constructor(private readonly aggregates: Aggregates) {}

  execute({ accountId }: GetAccountQuery): MaybeLater<AccountRecord | null> {
    if (!isUuid(accountId)) return null;
    return andThen(this.aggregates.peek(account, accountId), ({ state }) =>
      state.status === 'absent' ? null : accountRecord(state),
    );
  }
}
