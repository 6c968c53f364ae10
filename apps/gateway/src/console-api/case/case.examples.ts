import { ACCOUNT_REQUEST_EXAMPLE } from '../../api/onboarding/onboarding.examples';
import { SAMPLE } from '../../api/samples';
import { CheckDto, CASE_ITEM_EXAMPLE } from '../review/queue.dto';
import { exampleOf } from '../../validation/fields';
import { CaseAddressDto, CaseDocumentDto, CaseFinancialProfileDto, CaseIdentifierDto } from './person.dto';
import { CaseDto } from './case.dto';
import { ViewDto } from './records.dto';

export const VIEW_EXAMPLE = exampleOf(ViewDto, { 'viewed-at': SAMPLE.later });

export const CASE_EXAMPLE = exampleOf(CaseDto, {
  item: CASE_ITEM_EXAMPLE,
  request: ACCOUNT_REQUEST_EXAMPLE['account-request'],
  holder: {
    erased: false,
    identifier: exampleOf(CaseIdentifierDto),
    'tax-residence': 'BRA',
    'first-name': 'Maria',
    'last-name': 'Souza',
    'date-of-birth': '1990-05-17',
    'mother-full-name': 'Ana Souza',
    email: 'maria@example.com',
    phone: '+55 11 91234-5678',
    address: exampleOf(CaseAddressDto),
    document: exampleOf(CaseDocumentDto),
    pep: { declared: false, 'full-name': null, role: null, relationship: null },
    'financial-profile': exampleOf(CaseFinancialProfileDto),
  },
  representative: null,
  reliance: null,
  checklist: [
    exampleOf(CheckDto),
    { check: 'screening', title: 'No person of the request is on a sanctions or PEP list', outcome: 'attention' },
  ],
  views: [{ ...VIEW_EXAMPLE, note: 'asked on the telephone' }],
});
