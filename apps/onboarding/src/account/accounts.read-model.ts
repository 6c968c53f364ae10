import { Injectable } from '@nestjs/common';
import type { AccountRecord, AccountStatus, ListedAccountStatus, Page, PageRequest } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { rowsFrom } from '@ponte/read-models';
import { account } from './account.decider';
import type { OpenedAccount } from './account.state';
import { accountRequest } from '../account-request/account-request.decider';
import { listingOf } from './listing.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import type { AccountRow } from './accounts-table.port';

const accountRow = ({ status, terms, capabilities, standing }: OpenedAccount, revision: number): AccountRow => ({
  id: terms.accountId,
  revision,
  created_at: terms.request?.requestedAt ?? terms.openedAt,
  parent_id: terms.parentId,
  alias: terms.alias,
  status,
  external_id: terms.externalId,
  onboarding_mode: terms.onboardingMode,
  capabilities,
  tax_id_fingerprint: terms.taxIdFingerprint,
  pending_step: standing.pending?.step ?? null,
  watched: status === 'frozen' || standing.pending !== null ? 'yes' : null,
  request_id: terms.request?.requestId ?? null,
  opened: true,
});

/** Lower than every revision of an account's own stream, so that the account replaces its request. */
const BEFORE_OPENING = -1;

/** The row of an account that is being created. Its status is taken from the request when it is read. */
const requestedAccountRow = (state: OpenRequest): AccountRow => {
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

const AccountList = defineReadModel({
  table: 'onboarding_accounts',
  reader: 'onboarding-accounts',
  of: account,
  columns: {
    parent_id: 'text?',
    alias: 'text',
    status: 'text',
    external_id: 'text?',
    onboarding_mode: 'text?',
    capabilities: 'json',
    tax_id_fingerprint: 'text',
    request_id: 'text?',
    opened: 'boolean',
    pending_step: 'text?',
    watched: 'text?',
  },
  indices: [['parent_id'], ['opened'], ['watched']],
  rows: ({ state, revision }) => (state.status === 'absent' ? undefined : accountRow(state, revision)),
  also: [rowsFrom(accountRequest, ({ state }) => (isOpenRequest(state) ? requestedAccountRow(state) : undefined))],
});

/** Accounts, including those that are being created. */
@Injectable()
export class AccountReadModel extends AccountList {
  /** Writes the row of a request's account, until the account itself replaces it. */
  async showRequest(state: OpenRequest): Promise<void> {
    await this.table.put(requestedAccountRow(state));
  }

  get(accountId: string): Promise<AccountRow | undefined> {
    return this.table.get(accountId);
  }

  /** The sub-accounts of a parent, including those that are being created; all of them, or those in one status. */
  children(parentId: string, page: PageRequest, status?: ListedAccountStatus): Promise<Page<AccountRow>> {
    return this.table.page({ where: { parent_id: parentId, ...(status && { status }) }, page });
  }

  /** All accounts, or only the partners, without those that are being created. */
  async all(page: PageRequest, onlyPartners = false): Promise<Page<AccountRecord>> {
    const where = { opened: true, ...(onlyPartners && { parent_id: null }) };
    const { items, next } = await this.table.page({ where, page });
    return { items: items.map(recordOf), next };
  }

  /** Accounts that are frozen, or for which a freeze or release is pending. */
  async frozen(page: PageRequest): Promise<Page<AccountRecord>> {
    const { items, next } = await this.table.page({ where: { watched: 'yes' }, page });
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
