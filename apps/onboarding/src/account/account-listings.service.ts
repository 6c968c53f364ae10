import { Injectable } from '@nestjs/common';
import type { AccountListing, ListedAccountStatus } from '@ponte/contracts';
import { isUuid, pick } from '@ponte/kernel';
import { AccountRequests } from '../account-request/account-requests.service';
import { accountRecord, Accounts } from './accounts.service';
import { listedStatus } from './listing.domain';
import { isOpenRequest } from '../account-request/account-request.state';
import type { AccountRow } from './accounts-table.port';
import { AccountReadModel } from './accounts.read-model';

/** Accounts as shown to their partner: until the request is active, an account has the status of its request. */
@Injectable()
export class AccountListings {
  constructor(
    private readonly accounts: Accounts,
    private readonly requests: AccountRequests,
    private readonly readModel: AccountReadModel,
  ) {}

  /** Null if neither an account nor a request for one exists. */
  async of(accountId: string): Promise<AccountListing | null> {
    if (!isUuid(accountId)) return null;
    const state = await this.accounts.find(accountId);
    if (!state) {
      const row = await this.readModel.get(accountId);
      return row ? this.ofRow(row) : null;
    }
    const record = accountRecord(state);
    return {
      ...pick(record, 'accountId', 'parentId', 'alias'),
      status: await this.statusOf(state.terms.request?.requestId ?? null, record.status),
      ...pick(record, 'externalId', 'createdAt'),
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
