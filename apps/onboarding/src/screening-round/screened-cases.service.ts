import { Injectable } from '@nestjs/common';
import type { AccountRequestStatus, ScreenedCase, ScreenedKind } from '@ponte/contracts';
import { SCREENED_KINDS } from '@ponte/contracts';
import { sql } from 'kysely';
import { AccountReadModel } from '../account/accounts.read-model';
import { AccountRequestReadModel } from '../account-request/account-requests.read-model';

/** The statuses of a request that is screened as such: the account of an active one is a case of its own. */
const OPEN_STATUSES: readonly AccountRequestStatus[] = ['pending', 'approved', 'provisioning-failed'];

/** Lists the cases whose people are screened again, in the order of a round. */
@Injectable()
export class ScreenedCases {
  constructor(
    private readonly requests: AccountRequestReadModel,
    private readonly accounts: AccountReadModel,
  ) {}

  /** At most `limit` cases after `last`; all of one kind. Empty after the last one. */
  async after(last: ScreenedCase | undefined, limit: number): Promise<readonly ScreenedCase[]> {
    const from = last ? SCREENED_KINDS.indexOf(last.kind) : 0;
    for (const kind of SCREENED_KINDS.slice(from)) {
      const ids = await this.idsOf(kind, kind === last?.kind ? last.id : '', limit);
      if (ids.length > 0) return ids.map((id) => ({ kind, id }));
    }
    return [];
  }

  private async idsOf(kind: ScreenedKind, after: string, limit: number): Promise<readonly string[]> {
    switch (kind) {
      case 'request':
        return this.openRequests(after, limit);
      case 'account':
        return this.openAccounts(after, limit);
    }
  }

  /** Requests that wait for a decision, and approved ones whose account is being created. */
  private async openRequests(after: string, limit: number): Promise<readonly string[]> {
    const rows = await this.requests.table.rows
      .select('id')
      .where('status', 'in', OPEN_STATUSES)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Active and frozen accounts. Those that are being created are screened as requests. */
  private async openAccounts(after: string, limit: number): Promise<readonly string[]> {
    const rows = await this.accounts.table.rows
      .select('id')
      .where(sql<boolean>`opened = 1`)
      .where('status', '!=', 'closed')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }
}
