import { Inject, Injectable } from '@nestjs/common';
import type { AccountOrigin, AccountRecord, AccountStatus, Page, PageRequest } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { OpenRequest } from '../domain/account-request/state';
import type { AccountRow } from '../ports/accounts-table.port';
import { AccountReadModel, accountRow, requestedAccountRow } from './accounts.read-model';

/** The list of accounts. It holds nothing that the streams do not, so it may be lost and filled again. */
@Injectable()
export class AccountsView {
  constructor(
    private readonly readModel: AccountReadModel,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws when the table does not answer; the catch-up projector tries again. */
  async put(record: AccountRecord, revision: number, origin?: AccountOrigin): Promise<void> {
    await this.readModel.table.put(accountRow(record, revision, origin));
  }

  /** The account of a request, until the account itself takes its place. Throws as {@link put} does. */
  async putRequest(state: OpenRequest): Promise<void> {
    await this.readModel.table.put(requestedAccountRow(state));
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
    return this.readModel.table.get(accountId);
  }

  /** With the accounts that are being created. */
  children(parentId: string, page: PageRequest): Promise<Page<AccountRow>> {
    return this.readModel.table.page({ where: { parent_id: parentId }, page });
  }

  /** Without the accounts that are being created. */
  async all(page: PageRequest): Promise<Page<AccountRecord>> {
    const { items, next } = await this.readModel.table.page({ where: { opened: true }, page });
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
    const { items, next } = await this.readModel.table.page({ where: { watched: 'yes' }, page });
    return { items: items.map(recordOf), next };
  }
}

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
