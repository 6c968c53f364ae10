import { Injectable } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { AccountListing, ListedAccountStatus } from '@ponte/contracts';
import { Aggregates } from '@ponte/event-sourcing';
import { isUuid } from '@ponte/kernel';
import { AccountRequests } from '../account-request/account-requests';
import { account } from './account.decider';
import { accountRecord } from './account.record';
import { listedStatus } from '../account-request/listing.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import type { AccountRow } from './accounts-table.port';
import { AccountReadModel } from './accounts.read-model';

/** Accounts as their partner is shown them: until the request is active, an account has the status of its request. */
@Injectable()
export class AccountListings {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly requests: AccountRequests,
    private readonly readModel: AccountReadModel,
  ) {}

  /** Null when there is neither an account nor a request for one. */
  async of(accountId: string): Promise<AccountListing | null> {
    if (!isUuid(accountId)) return null;
    const { state } = await this.aggregates.load(account, accountId);
    if (state.status === 'absent') {
      const row = await this.readModel.get(accountId);
      return row ? this.ofRow(row) : null;
    }
    const { parentId, alias, status, externalId, createdAt } = accountRecord(state);
    return {
      accountId,
      parentId,
      alias,
      status: await this.statusOf(state.terms.request?.requestId ?? null, status),
      externalId,
      createdAt,
    };
  }

  async ofRow(row: AccountRow): Promise<AccountListing> {
    return {
      accountId: row.id,
      parentId: row.parent_id,
      alias: row.alias,
      status: await this.statusOf(row.request_id, row.status),
      externalId: row.external_id,
      createdAt: row.created_at,
    };
  }

  private async statusOf(requestId: string | null, own: ListedAccountStatus): Promise<ListedAccountStatus> {
    const request = requestId === null ? null : await this.requests.load(requestId);
    return !request || !isOpenRequest(request) || request.status === 'active' ? own : listedStatus(request.status);
  }
}

export class GetAccountListingQuery extends Query<AccountListing | null> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetAccountListingQuery)
export class GetAccountListingHandler implements IQueryHandler<GetAccountListingQuery> {
  constructor(private readonly listings: AccountListings) {}

  execute({ accountId }: GetAccountListingQuery): Promise<AccountListing | null> {
    return this.listings.of(accountId);
  }
}
