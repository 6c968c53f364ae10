import { SAMPLE } from '../samples';
import type { AccountRequestEnvelopeDto, DecisionDto } from './account-request.dto';
import type { InformationDto } from './request.dto';
import { exampleOf } from '../../validation/fields';
import { AccountRequestDto, RequirementsDto } from './account-request.dto';
import { DocumentDto, FinancialProfileDto } from './person.dto';
import { KycRequestDto, RelianceRequestDto } from './request.dto';

const ADDRESS = {
  'postal-code': '01310-100',
  line1: 'Avenida Paulista 1000',
  line2: '',
  city: 'São Paulo',
  state: 'SP',
  country: 'BRA',
};

export const KYC_EXAMPLE = exampleOf(KycRequestDto, {
  address: ADDRESS,
  document: { type: 'rg', 'front-file-id': SAMPLE.fileId, 'back-file-id': 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B2' },
  'financial-profile': exampleOf(FinancialProfileDto, { 'net-worth': 120000, 'source-of-funds': ['salary'] }),
  'external-wallets': [{ address: SAMPLE.wallet, 'custody-type': 'self' }],
  'external-id': 'customer-4711',
});

export const RELIANCE_EXAMPLE = exampleOf(RelianceRequestDto, { 'external-id': 'customer-4711' });

export const INFORMATION_EXAMPLE: InformationDto = {
  document: exampleOf(DocumentDto),
  note: 'The photo is sharper now.',
};

export const DECISION_EXAMPLE: DecisionDto = { decision: 'reject', reason: 'document-quality' };

export const ACCOUNT_REQUEST_EXAMPLE: AccountRequestEnvelopeDto = {
  'account-request': exampleOf(AccountRequestDto, {
    'review-stage': 'manual-review',
    'external-id': 'customer-4711',
    requirements: exampleOf(RequirementsDto, {
      complete: ['personal-data', 'address', 'document', 'liveness', 'screening'],
      pending: ['review'],
    }),
  }),
};
