import type { AccountListing } from '@ponte/contracts';
import { LISTED_ACCOUNT_STATUSES } from '@ponte/contracts';
import { toWire, toWireIfSet } from '@ponte/kernel';
import { instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';
import { SAMPLE } from '../samples';

/** An account as its partner sees it, without personal data. */
export class AccountDto {
  @Required(uuid, 'Id of the account', SAMPLE.accountId)
  id!: string;

  @Required(text(1, 80), 'Display name', 'Sandbox customer')
  alias!: string;

  @Required(
    oneOf(LISTED_ACCOUNT_STATUSES),
    'pending, rejected or provisioning-failed while the account is only requested; for the other states see GET /api/v1/state-machines',
    'active',
  )
  status!: string;

  @Optional(text(1, 255), 'Your own id, if you sent one', 'customer-4711')
  'external-id'?: string;

  @Optional(uuid, 'The partner that the sub-account belongs to; absent for a partner', SAMPLE.parentId)
  'parent-id'?: string;

  @Required(instant, 'When it was requested, or when it was opened if there was no request', SAMPLE.time)
  'created-at'!: string;
}

export class AccountEnvelopeDto extends EnvelopeOf('account', () => AccountDto, 'The account') {}

export class AccountsDto extends ListOf(
  'accounts',
  () => AccountDto,
  'The account of the key first. With the capability manage-holders, its sub-accounts and those being created follow, newest first',
) {}

export const ACCOUNT_EXAMPLE = exampleOf(AccountDto, { 'external-id': 'customer-4711', 'parent-id': SAMPLE.parentId });

export const accountDto = (account: AccountListing): AccountDto => ({
  id: account.accountId,
  ...toWire(account, 'alias', 'status'),
  ...toWireIfSet(account, 'externalId', 'parentId'),
  'created-at': account.createdAt,
});
