import { Inject, Injectable } from '@nestjs/common';
import type { AccountRecord, Page, PageRequest } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { AccountRow, AccountsTable } from '../ports/accounts-table';
import { ACCOUNTS_TABLE } from '../ports/accounts-table';

/** The list of accounts. It holds nothing that the streams do not, so it may be lost and filled again. */
@Injectable()
export class AccountsView {
  constructor(@Inject(ACCOUNTS_TABLE) private readonly table: AccountsTable, @Inject(LOGGER) private readonly logger: Logger) {}

  /** Throws when the table does not answer; the catch-up projector tries again. */
  async put(record: AccountRecord, revision: number): Promise<void> {
    await this.table.put(accountRow(record, revision));
  }

  /** Shows an accepted command in the lists before it is answered. A view that fails takes nothing back: the projector repairs it. */
  async show(record: AccountRecord, revision: number, context: RequestContext): Promise<void> {
    try {
      await this.put(record, revision);
    } catch (error) {
      const reason = error instanceof Error ? error.name : typeof error;
      this.logger.error({ ...logged(context), accountId: record.accountId, reason }, 'an account did not reach its view; the catch-up brings it');
    }
  }

  async children(parentId: string, page: PageRequest): Promise<Page<AccountRecord>> {
    return recordsOf(await this.table.page({ where: { parent_id: parentId }, page }));
  }

  /** Frozen ones, and those that a freeze waits for. */
  async frozen(page: PageRequest): Promise<Page<AccountRecord>> {
    return recordsOf(await this.table.page({ where: { watched: 'yes' }, page }));
  }

  async all(page: PageRequest): Promise<Page<AccountRecord>> {
    return recordsOf(await this.table.page({ where: {}, page }));
  }
}

const recordsOf = ({ items, next }: Page<AccountRow>): Page<AccountRecord> => ({ items: items.map(recordOf), next });

/** The row of an account at a revision of its stream. */
export const accountRow = (record: AccountRecord, revision: number): AccountRow => ({
  id: record.accountId,
  revision,
  created_at: record.createdAt,
  parent_id: record.parentId,
  alias: record.alias,
  status: record.status,
  external_id: record.externalId,
  onboarding_mode: record.onboardingMode,
  capabilities: record.capabilities,
  tax_id_fingerprint: record.taxIdFingerprint,
  pending_step: record.pendingStep ?? null,
  watched: record.status === 'frozen' || record.pendingStep !== undefined ? 'yes' : null,
});

const recordOf = (row: AccountRow): AccountRecord => ({
  accountId: row.id,
  parentId: row.parent_id,
  alias: row.alias,
  status: row.status,
  ...(row.pending_step !== null && { pendingStep: row.pending_step }),
  externalId: row.external_id,
  onboardingMode: row.onboarding_mode,
  capabilities: row.capabilities,
  taxIdFingerprint: row.tax_id_fingerprint,
  createdAt: row.created_at,
});
