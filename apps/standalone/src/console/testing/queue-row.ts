import { derivedId, isoTime } from '@ponte/kernel';
import type { AccountRequestRow } from '../../../../onboarding/src/account-request/account-requests.read-model';

const BEGIN = Date.parse('2026-01-01T00:00:00.000Z');

/** The queue row with number `at`, a request in review. */
export const queueRow = (at: number): AccountRequestRow => ({
  id: derivedId('console-test', String(at)),
  revision: 1,
  created_at: isoTime(BEGIN + at * 1_000),
  parent_id: derivedId('parent', String(at % 7)),
  account_id: derivedId('account', String(at)),
  mode: 'kyc',
  status: 'pending',
  stage: 'manual-review',
  reward_tier: '93.5',
  country: 'BRA',
  causes: ['standard'],
  four_eyes: false,
  approvals: 0,
  escalated: false,
  assigned_to: null,
  external_id: null,
  status_updated_at: isoTime(BEGIN),
  stage_since: isoTime(BEGIN),
  information_due_at: null,
  due_at: null,
});
