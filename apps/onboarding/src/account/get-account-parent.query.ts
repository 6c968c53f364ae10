import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { Aggregates } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { account } from './account.decider';
import { AccountReadModel } from './accounts.read-model';

interface Parent {
  readonly parentId: string | null;
}

/** Who the parent of an account is, also while the account is being created. Null when there is no such account. */
export class GetAccountParentQuery extends Query<Parent | null> {
  constructor(readonly accountId: string) {
    super();
  }
}

/** Reads the stream and the view for every account, so that the time does not tell whether the account exists. */
@QueryHandler(GetAccountParentQuery)
export class GetAccountParentHandler implements IQueryHandler<GetAccountParentQuery> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly readModel: AccountReadModel,
  ) {}

  async execute({ accountId }: GetAccountParentQuery): Promise<Parent | null> {
    if (!isUuid(accountId)) return null;
    const { state } = await this.aggregates.load(account, accountId);
    const row = await this.readModel.get(accountId);
    if (state.status !== 'absent') return { parentId: state.terms.parentId };
    return row ? { parentId: row.parent_id } : null;
  }
}
