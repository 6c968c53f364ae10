import { Inject, Injectable } from '@nestjs/common';
import type { AccountOrigin, AccountRecord, AccountStatus, Page, PageRequest } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { listingOf } from '../domain/account-request/listing';
import type { OpenRequest } from '../domain/account-request/state';
import type { AccountRow, AccountsTable } from '../ports/accounts-table';
import { ACCOUNTS_TABLE } from '../ports/accounts-table';

/** The list of accounts. It holds nothing that the streams do not, so it may be lost and filled again. */
@Injectable()
export class AccountsView {
  constructor(
    @Inject(ACCOUNTS_TABLE) private readonly table: AccountsTable,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws when the table does not answer; the catch-up projector tries again. */
  async put(record: AccountRecord, revision: number, origin?: AccountOrigin): Promise<void> {
    await this.table.put(accountRow(record, revision, origin));
  }

  /** The account of a request, until the account itself takes its place. Throws as {@link put} does. */
  async putRequest(state: OpenRequest): Promise<void> {
    await this.table.put(requestedAccountRow(state));
  }

  /**
   * Shows an accepted command in the lists before it is answered. A view that fails takes nothing back: the projector
   * repairs it.
   */
  show(
    record: AccountRecord,
    revision: number,
    origin: AccountOrigin | undefined,
    context: RequestContext,
  ): Promise<void> {
    return this.shown(record.accountId, () => this.put(record, revision, origin), context);
  }

  /** The same for the account of a request. */
  showRequest(state: OpenRequest, context: RequestContext): Promise<void> {
    return this.shown(state.terms.accountId, () => this.putRequest(state), context);
  }

  get(accountId: string): Promise<AccountRow | undefined> {
    return this.table.get(accountId);
  }

  /** With the accounts that are being created. */
  children(parentId: string, page: PageRequest): Promise<Page<AccountRow>> {
    return this.table.page({ where: { parent_id: parentId }, page });
  }

  /** Without the accounts that are being created. */
  async all(page: PageRequest): Promise<Page<AccountRecord>> {
    const { items, next } = await this.table.page({ where: { opened: true }, page });
    return { items: items.map(recordOf), next };
  }

  private async shown(accountId: string, put: () => Promise<void>, context: RequestContext): Promise<void> {
    try {
      await put();
    } catch (error) {
      const reason = error instanceof Error ? error.name : typeof error;
      this.logger.error(
        { ...logged(context), accountId, reason },
        'an account did not reach its view; the catch-up brings it',
      );
    }
  }

  /** Frozen ones, and those that a freeze waits for. */
  async frozen(page: PageRequest): Promise<Page<AccountRecord>> {
    const { items, next } = await this.table.page({ where: { watched: 'yes' }, page });
    return { items: items.map(recordOf), next };
  }
}

/** The row of an account at a revision of its stream. */
export const accountRow = (record: AccountRecord, revision: number, origin?: AccountOrigin): AccountRow => ({
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
  request_id: origin?.requestId ?? null,
  opened: true,
});

/** Below every revision of an account's own stream, so that the account takes the place of its request. */
const BEFORE_OPENING = -1;

/** The row of an account that is being created. Its status is that of its request when it is read. */
export const requestedAccountRow = (state: OpenRequest): AccountRow => {
  const { accountId, parentId, alias, status, externalId, createdAt } = listingOf(state);
  return {
    id: accountId,
    revision: BEFORE_OPENING,
    created_at: createdAt,
    parent_id: parentId,
    alias,
    status,
    external_id: externalId,
    onboarding_mode: null,
    capabilities: [],
    tax_id_fingerprint: state.terms.details.holder.identifierFingerprint,
    request_id: state.terms.requestId,
    opened: false,
    pending_step: null,
    watched: null,
  };
};

const recordOf = (row: AccountRow): AccountRecord => ({
  accountId: row.id,
  parentId: row.parent_id,
  alias: row.alias,
  status: row.status as AccountStatus,
  ...(row.pending_step !== null && { pendingStep: row.pending_step }),
  externalId: row.external_id,
  onboardingMode: row.onboarding_mode,
  capabilities: row.capabilities,
  taxIdFingerprint: row.tax_id_fingerprint,
  createdAt: row.created_at,
});
