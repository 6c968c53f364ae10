import { Injectable } from '@nestjs/common';
import type { AccountOrigin, AccountRecord } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { rowsFrom } from '@ponte/read-models';
import { account } from '../domain/account/account';
import { accountRecord } from '../domain/account/record';
import { accountRequest } from '../domain/account-request/account-request';
import { listingOf } from '../domain/account-request/listing';
import type { OpenRequest } from '../domain/account-request/state';
import { isOpenRequest } from '../domain/account-request/state';
import type { AccountRow } from '../ports/accounts-table.port';

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

/** Accounts, and those that are being created. */
@Injectable()
export class AccountReadModel extends defineReadModel({
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
  rows: ({ state, revision }) =>
    state.status === 'absent' ? undefined : accountRow(accountRecord(state), revision, state.terms.request),
  also: [rowsFrom(accountRequest, ({ state }) => (isOpenRequest(state) ? requestedAccountRow(state) : undefined))],
}) {}
