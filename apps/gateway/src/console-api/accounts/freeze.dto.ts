import type { AssetId } from '@ponte/kernel';
import type { ClosingReason, FreezeReason, ReleaseReason, ViewPurpose } from '@ponte/contracts';
import { CLOSING_REASONS, FREEZE_REASONS, RELEASE_REASONS, STANDING_ENTRIES, VIEW_PURPOSES } from '@ponte/contracts';
import { amount, asset, instant, oneOf, text, uuid, whole } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import {
  exampleOf,
  Nullable,
  NullableObject,
  Optional,
  OptionalNullable,
  OptionalObjects,
  Required,
  RequiredObject,
  RequiredObjects,
} from '../../validation/fields';
import { lines } from '../../validation/person-field-types';
import { SAMPLE } from '../../api/samples';
import { ADDRESS_MATCH_EXAMPLE, AddressMatchDto } from '../address-reviews/address-match.dto';
import { StaffRefDto } from '../review/queue.dto';
import { STAFF_ID } from '../session/session.dto';

const STEPS = ['freeze', 'release', 'close'];
const STATUSES = ['active', 'frozen', 'closed'];
const EVIDENCE = "The evidence, for example a ticket, a court order or a case. Stored encrypted with the holder's data";
const SHOWN_EVIDENCE = 'The evidence. Absent if the view of it is not recorded';

export class StandingQuery {
  @Optional(oneOf(VIEW_PURPOSES), 'Why you view the evidence. It is then shown, and the view is recorded', 'review')
  purpose?: ViewPurpose;
}

export class FreezeDto {
  @Required(oneOf(FREEZE_REASONS), 'The reason for the freeze', 'fraud-suspected')
  reason!: FreezeReason;

  @Required(lines(2_000), EVIDENCE, 'Ticket 4711')
  evidence!: string;
}

export class ReleaseDto {
  @Required(oneOf(RELEASE_REASONS), 'The reason for the release', 'resolved')
  reason!: ReleaseReason;

  @Required(lines(2_000), EVIDENCE, 'Ticket 4711, closed')
  evidence!: string;
}

export class WriteOffDto {
  @Required(asset, 'The asset of the balance', 'fiat/brl')
  asset!: AssetId;

  @Required(amount, 'The whole balance, below one unit of the asset', '0.01')
  amount!: string;
}

export class ClosingDto {
  @Required(oneOf(CLOSING_REASONS), 'The reason for the closing', 'holder-request')
  reason!: ClosingReason;

  @Required(lines(2_000), EVIDENCE, "Ticket 4712, the holder's letter")
  evidence!: string;

  @OptionalObjects(
    () => WriteOffDto,
    'All balances that are left, each with its exact amount. The closing writes them off',
  )
  'write-off'?: WriteOffDto[];
}

export class StepDecisionDto {
  @Required(whole, 'The number of the request that you have read, as shown in `pending`', 1)
  request!: number;
}

export class PendingStepDto {
  @Required(whole, 'Counts the requests to freeze, release or close the account, from 1', 1)
  request!: number;

  @Required(oneOf(STEPS), 'The change that waits for a second staff member', 'freeze')
  step!: string;

  @Required(
    oneOf([...new Set([...FREEZE_REASONS, ...RELEASE_REASONS, ...CLOSING_REASONS])]),
    'The reason',
    'fraud-suspected',
  )
  reason!: string;

  @OptionalNullable(text(0, 8_000), SHOWN_EVIDENCE, 'Ticket 4711')
  evidence?: string | null;

  @RequiredObject(() => StaffRefDto, 'The staff member who requested it')
  'requested-by'!: StaffRefDto;

  @Required(instant, 'When it was requested', SAMPLE.time)
  'requested-at'!: string;

  @OptionalObjects(() => WriteOffDto, 'The balances that the closing writes off. Absent if there are none')
  'write-off'?: WriteOffDto[];
}

export class FreezeRecordDto {
  @Required(oneOf(FREEZE_REASONS), 'Why it is frozen', 'fraud-suspected')
  reason!: string;

  @OptionalNullable(text(0, 8_000), SHOWN_EVIDENCE, 'Ticket 4711')
  evidence?: string | null;

  @NullableObject(() => StaffRefDto, 'Who requested the freeze. Null if the system froze it')
  'requested-by'!: StaffRefDto | null;

  @NullableObject(() => StaffRefDto, 'Who confirmed the freeze. Null if the system froze it')
  'confirmed-by'!: StaffRefDto | null;

  @Required(instant, 'When the account was frozen', SAMPLE.time)
  'frozen-at'!: string;
}

export class StandingEntryDto {
  @Required(oneOf(STANDING_ENTRIES), 'What happened', 'frozen')
  type!: string;

  @Nullable(text(1, 60), 'The reason', 'fraud-suspected')
  reason!: string | null;

  @RequiredObjects(() => StaffRefDto, 'The staff members who did it. Empty if the system did')
  staff!: StaffRefDto[];

  @Required(instant, 'When it happened', SAMPLE.time)
  at!: string;
}

export class AccountLineDto {
  @Required(uuid, 'Id of the account', SAMPLE.accountId)
  id!: string;

  @Nullable(uuid, 'Account id of its partner', SAMPLE.parentId)
  'parent-id'!: string | null;

  @Required(text(1, 200), 'The display name of the account', 'Account 1')
  alias!: string;

  @Required(oneOf(STATUSES), 'The status. See GET /api/v1/state-machines', 'frozen')
  status!: string;

  @Nullable(oneOf(STEPS), 'The change that waits for a second staff member', null)
  'pending-step'!: string | null;

  @Nullable(instant, 'When that change was requested', null)
  'pending-since'!: string | null;
}

export class AccountStandingDto extends AccountLineDto {
  @NullableObject(() => PendingStepDto, 'The change that one staff member requested and another must confirm')
  pending!: PendingStepDto | null;

  @RequiredObjects(() => FreezeRecordDto, 'The reasons for which the account is frozen, or was when it was closed')
  freezes!: FreezeRecordDto[];

  @RequiredObjects(() => StandingEntryDto, 'The steps of its freezes, its releases and its closing, oldest first')
  history!: StandingEntryDto[];

  @OptionalObjects(
    () => AddressMatchDto,
    'The true matches, newest first, at most 50. Absent if they cannot be read now',
  )
  'address-matches'?: AddressMatchDto[];

  @Optional(whole, 'The number of true matches', 1)
  'address-match-count'?: number;
}

export class AccountStandingEnvelopeDto extends EnvelopeOf(
  'account',
  () => AccountStandingDto,
  'The account and its status',
) {}

export class FrozenAccountsDto extends ListOf(
  'accounts',
  () => AccountLineDto,
  'Accounts that are frozen or have a freeze waiting for confirmation, newest first',
) {}

const LINE_EXAMPLE = exampleOf(AccountLineDto);
const STAFF: StaffRefDto = { id: STAFF_ID, name: 'approver-1' };
const OTHER_STAFF: StaffRefDto = { id: SAMPLE.parentId, name: 'approver-2' };
export const STANDING_EXAMPLE: AccountStandingEnvelopeDto = {
  account: {
    ...LINE_EXAMPLE,
    pending: null,
    freezes: [exampleOf(FreezeRecordDto, { 'requested-by': STAFF, 'confirmed-by': OTHER_STAFF })],
    history: [exampleOf(StandingEntryDto, { staff: [STAFF] })],
    'address-matches': [ADDRESS_MATCH_EXAMPLE],
    'address-match-count': 1,
  },
};
