import { derivedId, isoTime } from '@ponte/kernel';
import type { Kysely } from 'kysely';
import type { AccountRequestRow } from '../account-request/account-requests.read-model';
import { AccountRequestReadModel } from '../account-request/account-requests.read-model';
import { AccountReadModel } from '../account/accounts.read-model';
import type { OnboardingUnderTest } from './onboarding-under-test';
import { ReviewQueue } from '../review/review-queue.read-model';
import { ANALYST } from './people';

/** When the request of the first row was created. */
export const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');
/** The rows are of this many partners. */
export const PARTNERS = 7;
export const STAGES = ['received', 'screening', 'manual-review', 'information-requested'] as const;

/** The row of a pending request. Each was created a second after the one before. */
export const queueRow = (at: number, change: Partial<AccountRequestRow> = {}): AccountRequestRow => ({
  id: derivedId('queue-test', String(at)),
  revision: 1,
  created_at: isoTime(BEGIN + at * 1_000),
  parent_id: derivedId('parent', String(at % PARTNERS)),
  account_id: derivedId('account', String(at)),
  mode: 'kyc',
  status: 'pending',
  stage: STAGES[at % STAGES.length] as (typeof STAGES)[number],
  reward_tier: '93.5',
  country: 'BRA',
  causes: ['standard'],
  four_eyes: at % 3 === 0,
  approvals: 0,
  escalated: at % 10 === 0,
  assigned_to: at % 5 === 0 ? ANALYST.staffId : null,
  external_id: null,
  status_updated_at: isoTime(BEGIN),
  stage_since: isoTime(BEGIN),
  information_due_at: null,
  due_at: null,
  ...change,
});

const requestsIn = (readModels: Kysely<unknown>): AccountRequestReadModel =>
  new AccountRequestReadModel(readModels, new AccountReadModel(readModels));

/** The table of account requests. */
export const requestsTable = ({ engines: { readModels } }: OnboardingUnderTest): AccountRequestReadModel['table'] =>
  requestsIn(readModels).table;

export const reviewQueueIn = (readModels: Kysely<unknown>): ReviewQueue => new ReviewQueue(requestsIn(readModels));
