import type { AccountRequestStatus, ReviewStage } from '@ponte/contracts';
import { accountRequestMachine, REVIEW_CAUSES, reviewStageMachine } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { flag, instant, oneOf, record, text, uuid, whole } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import {
  exampleOf,
  Nullable,
  NullableObject,
  Required,
  RequiredObject,
  RequiredObjects,
} from '../../validation/fields';
import { listOfWords } from '../../validation/list-field-types';
import { rewardTier } from '../../validation/person-field-types';
import { SAMPLE } from '../../api/samples';
import { MAX_NAME, STAFF_ID } from '../session/session.dto';

export const STATUSES = Object.keys(accountRequestMachine);
export const STAGES = Object.keys(reviewStageMachine);

export class PartnerRefDto {
  @Required(uuid, 'The partner that made the request', SAMPLE.parentId)
  id!: string;

  @Required(text(0, 200), 'The display name of the partner', 'Ponte Sandbox Partner')
  alias!: string;
}

export class StaffRefDto {
  @Required(text(1, 100), 'The id of the staff member', STAFF_ID)
  id!: string;

  @Nullable(text(1, MAX_NAME), 'Null if this person has never signed in', 'analyst')
  name!: string | null;
}

/** An item of the queue, without personal data. */
export class QueueItemDto {
  @Required(uuid, 'Id of the request', SAMPLE.requestId)
  id!: string;

  @Required(uuid, 'The account that the request creates', SAMPLE.accountId)
  'account-id'!: string;

  @RequiredObject(() => PartnerRefDto, 'The partner that made the request')
  partner!: PartnerRefDto;

  @Required(oneOf(['kyc', 'reliance']), 'Who checks the person', 'kyc')
  mode!: string;

  @Required(oneOf(STATUSES), 'The status. See GET /api/v1/state-machines', 'pending')
  status!: AccountRequestStatus;

  @Nullable(oneOf(STAGES), 'Stage of a pending request, otherwise null', 'manual-review')
  'review-stage'!: ReviewStage | null;

  @Required(rewardTier, 'Reward tier in percent', 97)
  'reward-tier'!: RewardTier;

  @Required(text(3, 3), 'The country of the identifier, as an ISO 3166-1 alpha-3 code', 'BRA')
  country!: string;

  @Required(listOfWords(0, REVIEW_CAUSES, 20), 'The reasons for the review', ['four-eyes', 'screening-hit'])
  causes!: string[];

  @Required(flag, 'Whether two different approvers have to approve', true)
  'four-eyes'!: boolean;

  @Required(whole, 'The number of approvals', 1)
  approvals!: number;

  @Required(flag, 'Whether only approvers may decide it', false)
  escalated!: boolean;

  @NullableObject(() => StaffRefDto, 'The staff member who has claimed it')
  assignee!: StaffRefDto | null;

  @Nullable(text(1, 255), "The partner's own id of the account", 'customer-4711')
  'external-id'!: string | null;

  @Required(instant, 'When it was created', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'When its status changed last', SAMPLE.time)
  'status-updated-at'!: string;

  @Required(instant, 'When it reached its current stage, or its status if it has no stage', SAMPLE.time)
  'stage-since'!: string;

  @Required(whole, 'The age of the request, in seconds', 86_400)
  'age-seconds'!: number;

  @Required(whole, 'The time since `stage-since`, in seconds', 3_600)
  'stage-age-seconds'!: number;

  @Nullable(instant, 'The time by which the partner must send the requested information', null)
  'information-due-at'!: string | null;
}

export class CaseItemDto extends QueueItemDto {
  @Required(
    whole,
    'The version of the case. It counts the changes of what a reviewer reads; claims and releases do not change it',
    7,
  )
  version!: number;
}

export class QueueDto {
  @RequiredObjects(() => QueueItemDto, 'Longest wait first, unless the request asks for newest first')
  'account-requests'!: QueueItemDto[];

  @Required(
    record,
    'The counts of all open requests, regardless of the filters: pending by stage, approved, and provisioning-failed',
    { 'manual-review': 12, screening: 1 },
  )
  counts!: Record<string, number>;

  @Required(instant, 'When the ages were computed', SAMPLE.later)
  'as-of'!: string;
}

export class QueueItemEnvelopeDto extends EnvelopeOf(
  'account-request',
  () => CaseItemDto,
  'The request after the change',
) {}

export class HistoryEntryDto {
  @Required(text(1, 60), 'What happened', 'review-claimed')
  type!: string;

  @Required(instant, 'When it happened', SAMPLE.time)
  at!: string;

  @Nullable(text(1, 200), 'The staff id, API key or policy that acted', STAFF_ID)
  actor!: string | null;

  @Nullable(text(1, MAX_NAME), 'The name of the staff member, if one acted', 'analyst')
  'actor-name'!: string | null;

  @Required(record, 'Further details, without personal data', { 'staff-id': STAFF_ID })
  facts!: Record<string, unknown>;
}

const OUTCOMES = ['passed', 'attention', 'pending', 'not-applicable'];

export class CheckDto {
  @Required(text(1, 60), 'rule-1 to rule-12, screening, liveness, duplicates, four-eyes', 'rule-4')
  check!: string;

  @Required(text(1, 300), 'The explanation, in English', 'The holder is 18 or older')
  title!: string;

  @Required(oneOf(OUTCOMES), 'The outcome of the check', 'passed')
  outcome!: string;
}

export class HistoryDto {
  @RequiredObjects(() => HistoryEntryDto, 'Oldest first')
  history!: HistoryEntryDto[];

  @RequiredObject(() => CaseItemDto, 'The queue entry of the request, and the version of its case')
  'account-request'!: CaseItemDto;

  @RequiredObjects(() => CheckDto, 'The results of the rules, and the points to check')
  checklist!: CheckDto[];

  @RequiredObjects(() => StaffRefDto, 'The approvers so far')
  approvals!: StaffRefDto[];
}

export const QUEUE_ITEM_EXAMPLE = exampleOf(QueueItemDto, { 'age-seconds': 900, 'stage-age-seconds': 900 });
export const CASE_ITEM_EXAMPLE: CaseItemDto = { ...exampleOf(CaseItemDto), ...QUEUE_ITEM_EXAMPLE };
export const HISTORY_EXAMPLE = exampleOf(HistoryEntryDto);
export const HISTORY_PAGE_EXAMPLE: HistoryDto = {
  history: [HISTORY_EXAMPLE],
  'account-request': CASE_ITEM_EXAMPLE,
  checklist: [{ check: 'four-eyes', title: 'Two different approvers decide', outcome: 'pending' }],
  approvals: [{ id: STAFF_ID, name: 'approver-1' }],
};
