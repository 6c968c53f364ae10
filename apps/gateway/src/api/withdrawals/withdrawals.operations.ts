import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import { brlWithdrawalViolations, withdrawalViolations } from './withdrawal.mapper';
import {
  ASSET_WITHDRAWAL_REQUEST_EXAMPLE,
  AssetWithdrawalRequestDto,
  WITHDRAWAL_REQUEST_EXAMPLE,
  WithdrawalRequestDto,
} from './withdrawal-request.dto';
import {
  WITHDRAWAL_EXAMPLE,
  WithdrawalDto,
  WithdrawalEnvelopeDto,
  WithdrawalsDto,
  WithdrawalsQuery,
} from './withdrawal.dto';

const ERRORS = [
  'amount-must-be-string',
  'amount-scale-exceeded',
  'method-asset-mismatch',
  'asset-not-supported',
  'invalid-pix-key',
  'pix-key-not-found',
  'invalid-bank-account',
  'invalid-tax-id',
  'account-not-active',
  'insufficient-balance',
  'limit-exceeded',
  'external-id-already-used',
  'too-many-pix-key-look-ups',
  'rail-unavailable',
] as const;
const CREATING = {
  operation: 'create-withdrawal',
  shedPriority: 'last',
  whileFrozen: 'service',
  // The response repeats the payee's name, tax id and account.
  secretAnswer: true,
  answer: described(WithdrawalEnvelopeDto, { withdrawal: WITHDRAWAL_EXAMPLE }),
} as const satisfies Partial<OperationSpec>;

export const CREATING_WITHDRAWAL = {
  ...CREATING,
  body: described(WithdrawalRequestDto, WITHDRAWAL_REQUEST_EXAMPLE, { violations: withdrawalViolations }),
  errors: [
    ...ERRORS,
    'amount-below-minimum',
    'amount-above-maximum',
    'invalid-address',
    'bad-address-checksum',
    'same-source-and-target',
  ] as const,
};
export const CREATING_ASSET_WITHDRAWAL = {
  ...CREATING,
  body: described(AssetWithdrawalRequestDto, ASSET_WITHDRAWAL_REQUEST_EXAMPLE, { violations: brlWithdrawalViolations }),
  errors: [...ERRORS, 'route-not-found'] as const,
};
export const LISTING_WITHDRAWALS = {
  operation: 'list-withdrawals',
  query: WithdrawalsQuery,
  answer: described(WithdrawalsDto, { withdrawals: [WITHDRAWAL_EXAMPLE] }),
  paged: true,
};
export const READING_WITHDRAWAL = {
  operation: 'get-withdrawal',
  answer: described(WithdrawalDto, WITHDRAWAL_EXAMPLE),
  errors: ['withdrawal-not-found'] as const,
};
