import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { AccountListing, Page, PageCursor, PageRequest, ListAccounts } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { Accounts } from './accounts.service';
import { AccountReadModel } from './accounts.read-model';
import { AccountListings } from './account-listings.service';

export class ListAccountsQuery extends RequestQuery<typeof ListAccounts> {}

/** Higher than every real (created-at, id): the next page starts at the newest sub-account. */
const BEFORE_THE_NEWEST: PageCursor = {
  createdAt: '9999-12-31T23:59:59.999Z',
  id: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
};

/** The capability that lets a partner see its sub-accounts. */
const MANAGE_HOLDERS = 'manage-holders';

/** Lists the account itself first, then its sub-accounts, newest first. */
@QueryHandler(ListAccountsQuery)
export class ListAccountsHandler implements IQueryHandler<ListAccountsQuery> {
  constructor(
    private readonly accounts: Accounts,
    private readonly readModel: AccountReadModel,
    private readonly listings: AccountListings,
  ) {}

  async execute({ payload: { accountId, page } }: ListAccountsQuery): Promise<Page<AccountListing>> {
    const state = await this.accounts.find(accountId);
    if (!state) return NONE;
    const managing = state.capabilities.includes(MANAGE_HOLDERS);
    if (page.cursor) return managing ? this.children(accountId, page) : NONE;
    const own = await this.own(accountId, page);
    if (!managing) return { items: own, next: null };
    const left = page.limit - own.length;
    if (left > 0) {
      const children = await this.children(accountId, { ...page, limit: left });
      return { items: [...own, ...children.items], next: children.next };
    }
    const { items } = await this.readModel.children(accountId, { ...page, limit: 1 });
    return { items: own, next: items.length > 0 ? BEFORE_THE_NEWEST : null };
  }

  private async children(accountId: string, page: PageRequest): Promise<Page<AccountListing>> {
    const { items, next } = await this.readModel.children(accountId, page);
    return { items: await Promise.all(items.map((row) => this.listings.ofRow(row))), next };
  }

  private async own(accountId: string, { createdFrom, createdTo }: PageRequest): Promise<readonly AccountListing[]> {
    const listing = await this.listings.of(accountId);
    if (!listing) return [];
    const within =
      (createdFrom === null || listing.createdAt >= createdFrom) &&
      (createdTo === null || listing.createdAt <= createdTo);
    return within ? [listing] : [];
  }
}

const NONE: Page<AccountListing> = { items: [], next: null };
