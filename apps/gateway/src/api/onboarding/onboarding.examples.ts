import { LIVENESS_PROVIDERS } from '../../gateway.config';
import { SAMPLE } from '../samples';
import type { AccountRequestEnvelopeDto, DecisionDto } from './account-request.dto';
import type { InformationDto, KycRequestDto, RelianceRequestDto } from './request.dto';

const ADDRESS = {
  'postal-code': '01310-100',
  line1: 'Avenida Paulista 1000',
  line2: '',
  city: 'São Paulo',
  state: 'SP',
  country: 'BRA',
};

export const KYC_EXAMPLE: KycRequestDto = {
  identifier: { value: '529.982.247-25', country: 'BRA' },
  'tax-residence': 'BRA',
  'reward-tier': 90,
  'first-name': 'Joana',
  'last-name': 'Lima',
  email: 'joana@example.com',
  phone: '+55 11 91234-5678',
  'date-of-birth': '1990-05-17',
  'mother-full-name': 'Maria Lima',
  address: ADDRESS,
  document: { type: 'rg', 'front-file-id': SAMPLE.fileId, 'back-file-id': 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B2' },
  liveness: { id: 'session-81f3', provider: LIVENESS_PROVIDERS[0] ?? '' },
  pep: { declared: false },
  'financial-profile': {
    sector: 'other',
    currency: 'BRL',
    'monthly-income': 8500.5,
    'net-worth': 120000,
    'source-of-funds': ['salary'],
  },
  'external-wallets': [{ address: SAMPLE.wallet, 'custody-type': 'self' }],
  'external-id': 'customer-4711',
};

export const RELIANCE_EXAMPLE: RelianceRequestDto = {
  identifier: { value: '529.982.247-25', country: 'BRA' },
  'tax-document-type': 'cpf',
  'tax-residence': 'BRA',
  'kyc-attestation-id': 'attestation-2026-0042',
  'reward-tier': 90,
  'external-id': 'customer-4711',
};

export const INFORMATION_EXAMPLE: InformationDto = {
  document: { type: 'cnh', 'front-file-id': SAMPLE.fileId },
  note: 'The photo is sharper now.',
};

export const DECISION_EXAMPLE: DecisionDto = { decision: 'reject', reason: 'document-quality' };

export const ACCOUNT_REQUEST_EXAMPLE: AccountRequestEnvelopeDto = {
  'account-request': {
    id: SAMPLE.requestId,
    'account-id': SAMPLE.accountId,
    'parent-id': SAMPLE.parentId,
    mode: 'kyc',
    type: 'individual',
    status: 'pending',
    'review-stage': 'manual-review',
    'reward-tier': 90,
    identifier: { value: '***.982.247-**', country: 'BRA' },
    country: 'BRA',
    'external-id': 'customer-4711',
    requirements: {
      complete: ['personal-data', 'address', 'document', 'liveness', 'screening'],
      pending: ['review'],
      missing: [],
      issues: [],
    },
    'created-at': SAMPLE.time,
    'status-updated-at': SAMPLE.time,
  },
};
