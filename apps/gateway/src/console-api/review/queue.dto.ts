import type { AccountRequestStatus, ReviewStage } from '@ponte/contracts';
import { accountRequestMachine, REVIEW_CAUSES, reviewStageMachine } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { REWARD_TIERS } from '@ponte/kernel';
import { flag, instant, oneOf, record, text, uuid, whole } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import {
  exampleOf,
  Nullable,
  NullableObject,
  Required,
  RequiredObject,
  RequiredObjects,
} from '../../validation/members';
import { listOfWords } from '../../validation/list-field-types';
import { numberOf } from '../../validation/person-field-types';
import { SAMPLE } from '../../api/samples';
import { MAX_NAME, STAFF_ID } from '../session/session.dto';

export const STATUSES = Object.keys(accountRequestMachine);
export const STAGES = Object.keys(reviewStageMachine);

export class PartnerRefDto {
  @Required(uuid, 'The partner that asked', SAMPLE.parentId)
  id!: string;

  @Required(text(0, 200), 'What it is called', 'Ponte Sandbox Partner')
  alias!: string;
}

export class StaffRefDto {
  @Required(text(1, 100), 'Who of the staff', STAFF_ID)
  id!: string;

  @Nullable(text(1, MAX_NAME), 'Null of who never signed in here', 'analyst')
  name!: string | null;
}

/** A line of the queue: nothing of it is personal. */
export class QueueItemDto {
  @Required(uuid, 'The request', SAMPLE.requestId)
  id!: string;

  @Required(uuid, 'The account that it becomes', SAMPLE.accountId)
  'account-id'!: string;

  @RequiredObject(() => PartnerRefDto, 'Who asked')
  partner!: PartnerRefDto;

  @Required(oneOf(['kyc', 'reliance']), 'Who checks the person', 'kyc')
  mode!: string;

  @Required(oneOf(STATUSES), 'See GET /api/v1/state-machines', 'pending')
  status!: AccountRequestStatus;

  @Nullable(oneOf(STAGES), 'While pending, else null', 'manual-review')
  'review-stage'!: ReviewStage | null;

  @Required(numberOf(REWARD_TIERS), 'Percent', 97)
  'reward-tier'!: RewardTier;

  @Required(text(3, 3), 'Of the identifier, ISO 3166-1 alpha-3', 'BRA')
  country!: string;

  @Required(listOfWords(0, REVIEW_CAUSES, 20), 'Why a person has to look', ['four-eyes', 'screening-hit'])
  causes!: string[];

  @Required(flag, 'Whether two different approvers have to approve', true)
  'four-eyes'!: boolean;

  @Required(whole, 'How many have', 1)
  approvals!: number;

  @Required(flag, 'Whether it is for approvers alone', false)
  escalated!: boolean;

  @NullableObject(() => StaffRefDto, 'Who has claimed it')
  assignee!: StaffRefDto | null;

  @Nullable(text(1, 255), "The partner's own id", 'customer-4711')
  'external-id'!: string | null;

  @Required(instant, 'When it was made', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'When its status changed last', SAMPLE.time)
  'status-updated-at'!: string;

  @Required(instant, 'When it came to where it stands', SAMPLE.time)
  'stage-since'!: string;

  @Required(whole, 'Since it was made', 86_400)
  'age-seconds'!: number;

  @Required(whole, 'Since it came to where it stands', 3_600)
  'stage-age-seconds'!: number;

  @Nullable(instant, 'Until when the information asked for is waited for', null)
  'information-due-at'!: string | null;
}

export class QueueDto {
  @RequiredObjects(() => QueueItemDto, 'Who waits longest comes first, unless newest first was asked for')
  'account-requests'!: QueueItemDto[];

  @Required(
    record,
    'Of everything open, whatever the filters: pending ones by stage, approved and provisioning-failed ones',
    { 'manual-review': 12, screening: 1 },
  )
  counts!: Record<string, number>;

  @Required(instant, 'When the ages were taken', SAMPLE.later)
  'as-of'!: string;
}

export class QueueItemEnvelopeDto extends EnvelopeOf(
  'account-request',
  () => QueueItemDto,
  'The line of the queue as it then stands',
) {}

export class HistoryEntryDto {
  @Required(text(1, 60), 'What happened', 'review-claimed')
  type!: string;

  @Required(instant, 'When', SAMPLE.time)
  at!: string;

  @Nullable(text(1, 200), 'A staff id, an API key or a policy', STAFF_ID)
  actor!: string | null;

  @Nullable(text(1, MAX_NAME), 'Of someone of the staff', 'analyst')
  'actor-name'!: string | null;

  @Required(record, 'Further facts, without personal data', { 'staff-id': STAFF_ID })
  facts!: Record<string, unknown>;
}

const OUTCOMES = ['passed', 'attention', 'pending', 'not-applicable'];

export class CheckDto {
  @Required(text(1, 60), 'rule-1 to rule-12, screening, liveness, duplicates, four-eyes', 'rule-4')
  check!: string;

  @Required(text(1, 300), 'Explanation in English', 'The holder is 18 or older')
  title!: string;

  @Required(oneOf(OUTCOMES), 'How it came out', 'passed')
  outcome!: string;
}

export class HistoryDto {
  @RequiredObjects(() => HistoryEntryDto, 'Oldest first')
  history!: HistoryEntryDto[];

  @RequiredObject(() => QueueItemDto, 'The line of the queue as it stands')
  'account-request'!: QueueItemDto;

  @RequiredObjects(() => CheckDto, 'The rules, and what is to be looked at')
  checklist!: CheckDto[];

  @RequiredObjects(() => StaffRefDto, 'Who has approved')
  approvals!: StaffRefDto[];
}

export const QUEUE_ITEM_EXAMPLE = exampleOf(QueueItemDto, { 'age-seconds': 900, 'stage-age-seconds': 900 });
export const HISTORY_EXAMPLE = exampleOf(HistoryEntryDto);
export const HISTORY_PAGE_EXAMPLE: HistoryDto = {
  history: [HISTORY_EXAMPLE],
  'account-request': QUEUE_ITEM_EXAMPLE,
  checklist: [{ check: 'four-eyes', title: 'Two different approvers decide', outcome: 'pending' }],
  approvals: [{ id: STAFF_ID, name: 'approver-1' }],
};
