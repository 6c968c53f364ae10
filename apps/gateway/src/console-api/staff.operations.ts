import { described } from '../openapi/operation-spec';
import type { OperationSpec } from '../openapi/operation-spec';
import { ApiKeyEnvelopeDto, CreateApiKeyDto, RATE_LIMITS_EXAMPLE, RevokeApiKeyDto } from './api-key.dto';
import {
  ChangeCapabilitiesDto,
  OpenAccountDto,
  OPERATOR_WALLET_EXAMPLE,
  OperatorWalletEnvelopeDto,
  OperatorWhitelistDto,
  STAFF_ACCOUNT_EXAMPLE,
  StaffAccountEnvelopeDto,
  StaffAccountsDto,
} from './staff.dto';
import { keyViolations } from './staff.mapper';

const account = described(StaffAccountEnvelopeDto, { account: STAFF_ACCOUNT_EXAMPLE });
const key = described(ApiKeyEnvelopeDto);

export const OPENING_ACCOUNT: OperationSpec = {
  id: 'staff-open-account',
  summary: 'Open a partner or a sub-account',
  reach: 'staff',
  answer: account,
  body: described(OpenAccountDto, {
    'parent-id': STAFF_ACCOUNT_EXAMPLE['parent-id'] ?? '',
    alias: 'Sandbox customer',
    'legal-name': 'Maria Exemplo',
    'tax-id': '52998224725',
  }),
  errors: [
    'invalid-tax-id',
    'invalid-bank-account',
    'parent-account-not-found',
    'parent-not-a-partner',
    'account-already-exists',
    'review-by-staff-required',
  ],
};

export const LISTING_ACCOUNTS: OperationSpec = {
  id: 'staff-list-accounts',
  summary: 'List every account',
  reach: 'staff',
  paged: true,
  answer: described(StaffAccountsDto, { accounts: [STAFF_ACCOUNT_EXAMPLE] }),
};

export const CHANGING_CAPABILITIES: OperationSpec = {
  id: 'staff-change-capabilities',
  summary: 'Grant and revoke capabilities',
  reach: 'staff',
  answer: account,
  body: described(ChangeCapabilitiesDto, { grant: ['pay-after-acceptance'] }),
  errors: ['account-not-found'],
};

export const WHITELISTING_WALLET: OperationSpec = {
  id: 'staff-whitelist-wallet',
  summary: 'Allow an account to use an external wallet',
  reach: 'staff',
  answer: described(OperatorWalletEnvelopeDto),
  body: described(OperatorWhitelistDto, { address: OPERATOR_WALLET_EXAMPLE.address, fx: true }),
  errors: [
    'account-not-found',
    'invalid-address',
    'bad-address-checksum',
    'external-wallet-already-registered',
    'address-under-review',
    'address-refused',
  ],
};

export const CREATING_KEY: OperationSpec = {
  id: 'staff-create-api-key',
  summary: 'Create an API key',
  reach: 'staff',
  answer: key,
  secretAnswer: true,
  body: described(
    CreateApiKeyDto,
    { name: 'back end', access: 'read-write', bearer: true, 'rate-limits': RATE_LIMITS_EXAMPLE },
    { violations: keyViolations },
  ),
  errors: ['account-not-found', 'invalid-public-key', 'bearer-key-not-allowed'],
};

export const REVOKING_KEY: OperationSpec = {
  id: 'staff-revoke-api-key',
  summary: 'Revoke an API key at once',
  reach: 'staff',
  answer: key,
  body: described(RevokeApiKeyDto),
  errors: ['api-key-not-found'],
};
