import type { CaseItem } from '@ponte/contracts';
import { SAMPLE } from '../api/samples';
import { STAFF } from './staff-members';

/** The holder of the only case. */
export const CASE_HOLDER = '0190f8a4-0000-7000-8000-00000000ca5e';
export const CASE_FILE = SAMPLE.fileId;

export const queueItem = (more: Partial<CaseItem> = {}): CaseItem => ({
  requestId: SAMPLE.requestId,
  parentId: SAMPLE.parentId,
  parentAlias: 'Partner',
  accountId: SAMPLE.accountId,
  mode: 'kyc',
  status: 'pending',
  reviewStage: 'manual-review',
  rewardTier: 90,
  country: 'BRA',
  causes: ['standard'],
  fourEyes: false,
  approvals: 0,
  escalated: false,
  assignedTo: STAFF.analyst.staffId,
  externalId: null,
  createdAt: SAMPLE.time,
  statusUpdatedAt: SAMPLE.time,
  stageSince: SAMPLE.time,
  informationDueAt: null,
  version: 7,
  ...more,
});
