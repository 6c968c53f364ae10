import type { Violation } from '@ponte/kernel';
import { described } from '../../openapi/operation-spec';
import { exampleOf, isPlainObject } from '../../validation/fields';
import { IdentifierDto } from '../../api/onboarding/person.dto';
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

/**
 * Violation of: exactly one of `identifier`, `deposit-id` and `account-request-id`. `person` belongs to the last one.
 */
const preparationViolations = (body: unknown): Violation[] =>
  oneOfViolations(body, ['identifier', 'deposit-id', 'account-request-id'], 'account-request-id', {
    'account-request-id': ['person'],
  });

/** Violation of: exactly one of `identifier` and `deposit-id`. */
const reportViolations = (body: unknown): Violation[] =>
  oneOfViolations(body, ['identifier', 'deposit-id'], 'identifier', {});

/**
 * The first name that is sent excludes the names after it, and the fields that belong to them. If none is sent, the
 * `usual` one is missing.
 */
function oneOfViolations(
  body: unknown,
  names: readonly string[],
  usual: string,
  membersOf: Readonly<Record<string, readonly string[]>>,
): Violation[] {
  if (!isPlainObject(body)) return [];
  const isSent = (name: string) => body[name] !== undefined;
  const first = names.find(isSent);
  if (first === undefined) {
    const message = `one of ${names.join(', ')} is required`;
    return [{ path: usual, code: 'missing-field', message }];
  }
  const later = names.slice(names.indexOf(first) + 1);
  const extra = later.flatMap((name) => [name, ...(membersOf[name] ?? [])]).filter(isSent);
  return extra.map((path) => ({ path, code: 'unknown-field', message: `must not be set together with ${first}` }));
}

export const READING_REPORT: StaffSpec = {
  summary: 'Report the data held about the person of a request, the legal basis, and who has viewed it',
  query: ReportQuery,
  answer: report,
  errors: ['account-request-not-found', 'person-not-found', 'personal-data-restricted'],
};

export const MAKING_REPORT: StaffSpec = {
  summary: 'Report the data held about a person, found by identifier, or by deposit for a payer who has none',
  body: described(
    MakeReportDto,
    { identifier: exampleOf(IdentifierDto), purpose: 'privacy-request' },
    { violations: reportViolations },
  ),
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
