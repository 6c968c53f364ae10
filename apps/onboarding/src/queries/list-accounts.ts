import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountRecord, Page, PageCursor, PageRequest } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { account } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';
import { AccountsView } from '../views/accounts';

export class ListAccountsQuery extends Query<Page<AccountRecord>> {
  constructor(readonly accountId: string, readonly page: PageRequest) { super(); }
}

/** Above every real (created-at, id): the page after it starts at the newest sub-account. */
const BEFORE_THE_NEWEST: PageCursor = { createdAt: '9999-12-31T23:59:59.999Z', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** contract.md §8: the account itself first, then its sub-accounts, newest first. */
@QueryHandler(ListAccountsQuery)
export class ListAccountsHandler implements IQueryHandler<ListAccountsQuery> {
  constructor(private readonly aggregates: Aggregates, private readonly view: AccountsView) {}

  async execute({ accountId, page }: ListAccountsQuery): Promise<Page<AccountRecord>> {
    if (page.cursor) return this.view.children(accountId, page);
    const own = await this.own(accountId, page);
    const left = page.limit - own.length;
    if (left > 0) {
      const children = await this.view.children(accountId, { ...page, limit: left });
      return { items: [...own, ...children.items], next: children.next };
    }
    const { items } = await this.view.children(accountId, { ...page, limit: 1 });
    return { items: own, next: items.length > 0 ? BEFORE_THE_NEWEST : null };
  }

  private async own(accountId: string, { createdFrom, createdTo }: PageRequest): Promise<readonly AccountRecord[]> {
    if (!isUuid(accountId)) return [];
    const { state } = await this.aggregates.load(account, accountId);
    if (state.status === 'absent') return [];
    const record = accountRecord(state);
    const within = (createdFrom === null || record.createdAt >= createdFrom) && (createdTo === null || record.createdAt <= createdTo);
    return within ? [record] : [];
  }
}
