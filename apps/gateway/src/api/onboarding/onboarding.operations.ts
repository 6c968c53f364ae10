import { described } from '../../openapi/operation-spec';
import type { OperationSpec } from '../../openapi/operation-spec';
import { AccountRequestEnvelopeDto } from './account-request.dto';
import { ACCOUNT_REQUEST_EXAMPLE, INFORMATION_EXAMPLE, KYC_EXAMPLE, RELIANCE_EXAMPLE } from './onboarding.examples';
import { INFORMATION_FORM, KYC_FORM, RELIANCE_FORM } from './onboarding.forms';
import { InformationDto, KycRequestDto, RelianceRequestDto } from './request.dto';

/** The response contains a masked identifier, so it is sealed when it is stored under an idempotency key. */
const ANSWER = {
  answer: described(AccountRequestEnvelopeDto, ACCOUNT_REQUEST_EXAMPLE),
  secretAnswer: true,
  reach: 'own',
} as const;

const CREATED = {
  ...ANSWER,
  status: 201,
  shedPriority: 'last',
  also: {
    status: 200,
    summary: 'The person already has a request under this parent account: that request is returned',
  },
} as const;

const WHO = ['invalid-country', 'identifier-country-mismatch', 'invalid-cpf', 'invalid-passport'] as const;
const PLACE_AND_PAPERS = [
  'state-required',
  'invalid-state',
  'document-type-not-allowed',
  'back-file-required',
  'back-file-not-allowed',
] as const;
const WALLETS = [
  'invalid-address',
  'bad-address-checksum',
  'duplicate-external-wallet',
  'external-wallet-already-registered',
  'invalid-wallet-proof',
] as const;

export const REQUESTING_KYC: Omit<OperationSpec, 'id'> = {
  ...CREATED,
  summary: 'Request an account for a person whose identity Ponte checks',
  body: described(KycRequestDto, KYC_EXAMPLE, KYC_FORM),
  errors: [
    'reliance-mode-parent',
    'missing-capability',
    'account-not-active',
    ...WHO,
    'holder-under-age',
    'invalid-phone',
    ...PLACE_AND_PAPERS,
    'pep-details-required',
    'representative-is-holder',
    'representative-identifier-country-mismatch',
    'representative-under-age',
    'file-not-found',
    ...WALLETS,
    'person-erased',
  ],
};

export const REQUESTING_RELIANCE: Omit<OperationSpec, 'id'> = {
  ...CREATED,
  operation: 'create-reliance-request',
  summary: 'Request an account for a person whose identity you have checked',
  body: described(RelianceRequestDto, RELIANCE_EXAMPLE, RELIANCE_FORM),
  errors: [
    'kyc-mode-parent',
    'missing-capability',
    'account-not-active',
    ...WHO,
    'invalid-national-id',
    'document-type-not-allowed',
    ...WALLETS,
    'person-erased',
  ],
};

export const READING_REQUEST: Omit<OperationSpec, 'id'> = {
  ...ANSWER,
  summary: 'Get an account request',
  errors: ['account-request-not-found'],
};

export const INFORMING: Omit<OperationSpec, 'id'> = {
  ...ANSWER,
  summary: 'Send the requested information',
  body: described(InformationDto, INFORMATION_EXAMPLE, INFORMATION_FORM),
  errors: [
    'account-request-not-found',
    'information-not-requested',
    'invalid-country',
    ...PLACE_AND_PAPERS,
    'file-not-found',
    'person-erased',
  ],
};

export const CANCELLING: Omit<OperationSpec, 'id'> = {
  ...ANSWER,
  summary: 'Cancel a pending account request',
  errors: ['account-request-not-found', 'account-request-not-pending'],
};
