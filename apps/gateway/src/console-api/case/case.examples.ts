import { ACCOUNT_REQUEST_EXAMPLE } from '../../api/onboarding/onboarding.examples';
import { SAMPLE } from '../../api/samples';
import { HISTORY_EXAMPLE, QUEUE_ITEM_EXAMPLE } from '../review/queue.dto';
import { STAFF_ID } from '../session/session.dto';
import type { CaseDto } from './case.dto';
import type { ViewDto } from './records.dto';

const ANALYST = { id: STAFF_ID, name: 'analyst' };

export const VIEW_EXAMPLE: ViewDto = {
  staff: ANALYST,
  roles: ['compliance-analyst'],
  purpose: 'review',
  what: 'case',
  'viewed-at': SAMPLE.later,
};

export const CASE_EXAMPLE: CaseDto = {
  item: QUEUE_ITEM_EXAMPLE,
  request: ACCOUNT_REQUEST_EXAMPLE['account-request'],
  holder: {
    erased: false,
    identifier: { value: '52998224725', country: 'BRA' },
    'tax-residence': 'BRA',
    'first-name': 'Maria',
    'last-name': 'Souza',
    'date-of-birth': '1990-05-17',
    'mother-full-name': 'Ana Souza',
    email: 'maria@example.com',
    phone: '+55 11 91234-5678',
    address: {
      'postal-code': '01310-100',
      line1: 'Avenida Paulista 1000',
      line2: '',
      city: 'São Paulo',
      state: 'SP',
      country: 'BRA',
    },
    document: { type: 'cnh', 'front-file-id': SAMPLE.fileId, 'back-file-id': null },
    pep: { declared: false, 'full-name': null, role: null, relationship: null },
    'financial-profile': {
      sector: 'other',
      currency: 'BRL',
      'monthly-income': 8500.5,
      'net-worth': null,
      'source-of-funds': ['salary'],
    },
  },
  representative: null,
  reliance: null,
  'external-wallets': [
    { address: SAMPLE.wallet, 'custody-type': 'self', 'custody-country': null, 'custodian-name': null, proven: false },
  ],
  files: [
    {
      id: SAMPLE.fileId,
      label: 'document, front',
      purpose: 'document-front',
      'content-type': 'image/jpeg',
      'size-bytes': 48_213,
      'created-at': SAMPLE.time,
    },
  ],
  screening: [
    {
      person: 'holder',
      round: 1,
      'recorded-at': SAMPLE.time,
      hits: [
        {
          list: 'un-consolidated',
          'entry-id': 'QDi.001',
          score: 93,
          match: 'maria souza ~ maria de souza, born 1990',
          verdict: {
            verdict: 'false-positive',
            reason: 'birth-date-differs',
            note: 'Twenty years apart',
            staff: ANALYST,
            at: SAMPLE.time,
          },
        },
      ],
    },
  ],
  liveness: {
    provider: 'provider-1',
    'session-id': 'session-81f3',
    outcome: 'passed',
    'decided-at': SAMPLE.time,
    'shared-with': [],
  },
  duplicates: [
    {
      kind: 'document-file',
      requests: [{ id: SAMPLE.requestId, status: 'rejected', partner: 'Ponte Sandbox Partner', 'same-person': false }],
    },
  ],
  checklist: [
    { check: 'rule-4', title: 'The holder is 18 or older', outcome: 'passed' },
    { check: 'screening', title: 'No person of the request is on a sanctions or PEP list', outcome: 'attention' },
  ],
  approvals: [ANALYST],
  'internal-reason': null,
  notes: [{ note: 'A new photograph', at: SAMPLE.time }],
  'staff-notes': [
    { type: 'review-escalated', staff: ANALYST, note: 'The name is close to an entry of the list', at: SAMPLE.time },
  ],
  history: [HISTORY_EXAMPLE],
  views: [{ ...VIEW_EXAMPLE, note: 'asked on the telephone' }],
  restricted: false,
};
