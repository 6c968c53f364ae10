import { Inject, Injectable } from '@nestjs/common';
import type { AccountRequestStatus, ScreenedCase, ScreenedKind } from '@ponte/contracts';
import { SCREENED_KINDS } from '@ponte/contracts';
import { READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';

/** The statuses of a request that is screened as such: the account of an active one is a case of its own. */
const OPEN_STATUSES: readonly AccountRequestStatus[] = ['pending', 'approved', 'provisioning-failed'];

interface Schema {
  onboarding_account_requests: { id: string; status: string };
  onboarding_accounts: { id: string; status: string; opened: number };
}

/** Lists the cases whose people are screened again, in the order of a round. */
@Injectable()
export class ScreenedCases {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

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
    const rows = await this.db
      .selectFrom('onboarding_account_requests')
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
    const rows = await this.db
      .selectFrom('onboarding_accounts')
      .select('id')
      .where('opened', '=', 1)
      .where('status', '!=', 'closed')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }
}
