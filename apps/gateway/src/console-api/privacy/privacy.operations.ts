import type { Violation } from '@ponte/kernel';
import { described } from '../../openapi/operation-spec';
import { isPlainObject } from '../../validation/members';
import type { StaffSpec } from '../../staff/operation';
import { SAMPLE } from '../../api/samples';
import { VIEW_EXAMPLE } from '../case/case.examples';
import {
  EraseDto,
  ErasureEnvelopeDto,
  ErasurePreparationEnvelopeDto,
  MakeReportDto,
  PrepareErasureDto,
  PrivacyReportEnvelopeDto,
  ReportQuery,
} from './privacy.dto';

const PERSON = SAMPLE.endpointId;
const UNTIL = '2036-01-31T12:00:00.000Z';

const report = described(PrivacyReportEnvelopeDto, {
  'privacy-report': {
    'subject-id': PERSON,
    status: 'held',
    holdings: [
      {
        kind: 'account-request',
        id: SAMPLE.requestId,
        role: 'holder',
        categories: ['identifier', 'name', 'address'],
        purpose: 'to know the customer, before and while the account is served',
        'legal-basis': 'legal obligation: prevention of money laundering, lei-9613-1998',
        since: SAMPLE.time,
        'retained-until': null,
      },
    ],
    views: [{ ...VIEW_EXAMPLE, 'account-request-id': SAMPLE.requestId }],
  },
});

/** Violation of: exactly one of `account-request-id` and `identifier`. */
function preparationViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const [request, identifier] = [body['account-request-id'] !== undefined, body['identifier'] !== undefined];
  if (!request && !identifier)
    return [
      {
        path: 'account-request-id',
        code: 'missing-field',
        message: 'one of account-request-id and identifier is required',
      },
    ];
  const extra = identifier
    ? (['account-request-id', 'person'] as const).filter((name) => body[name] !== undefined)
    : [];
  return extra.map((path) => ({ path, code: 'unknown-field', message: 'must not be set together with an identifier' }));
}

export const READING_REPORT: StaffSpec = {
  summary: 'Report the data held of the person of a request, the legal basis, and who has viewed it',
  query: ReportQuery,
  answer: report,
  errors: ['account-request-not-found', 'person-not-found', 'personal-data-restricted', 'missing-field'],
};

export const MAKING_REPORT: StaffSpec = {
  summary: 'Show the data held of a person, found by their identifier',
  body: described(MakeReportDto),
  answer: report,
  errors: ['person-not-found', 'personal-data-restricted'],
};

export const PREPARING_ERASURE: StaffSpec = {
  summary: 'Prepare an erasure: shows what it would do, and the text that confirms it',
  body: described(PrepareErasureDto, { 'account-request-id': SAMPLE.requestId }, { violations: preparationViolations }),
  answer: described(ErasurePreparationEnvelopeDto, {
    'erasure-preparation': {
      token: 'c2VhbGVkOnYxOnN0YWZmLWVyYXN1cmU6',
      'confirm-with': 'Maria Souza',
      'expires-at': SAMPLE.later,
      'subject-id': PERSON,
      status: 'held',
      outcome: 'restricted',
      'retained-until': UNTIL,
    },
  }),
  errors: ['account-request-not-found', 'person-not-found', 'person-erased'],
};

export const ERASING: StaffSpec = {
  summary: 'Confirm an erasure: deletes the data, or restricts it while the law requires the records',
  body: described(EraseDto, { token: 'c2VhbGVkOnYxOnN0YWZmLWVyYXN1cmU6', typed: 'Maria Souza' }),
  answer: described(ErasureEnvelopeDto),
  errors: ['erasure-not-confirmed', 'person-not-found'],
};
