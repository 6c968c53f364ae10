import type { SuspenseCause, SuspenseStatus, ViewPurpose } from '@ponte/contracts';
import { SUSPENSE_CAUSES, SUSPENSE_STATUSES, VIEW_PURPOSES } from '@ponte/contracts';
import { instant, oneOf, opaqueId, text, uuid, whole } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Nullable, NullableObject, Optional, Required } from '../../validation/fields';
import { lines } from '../../validation/person-field-types';
import { PageQuery } from '../../pagination/page-query';
import { SAMPLE } from '../../api/samples';
import { ProposalOf } from './proposal.dto';
import { ReceivedPaymentDto } from './received-payment.dto';
import { SendingDto, SendingFailureDto } from './sending.dto';

const CAUSE =
  'Why the money is in suspense. `return-refused`: the bank permanently refused to return it to its payer. ' +
  '`unallocated`: the bank returned a payment that no account may receive. ' +
  '`set-aside`: tokens that arrived at a closed account';
const STATUS =
  '`open`: no settlement is proposed. `proposed`: a settlement waits for a second staff member. ' +
  '`sending`: tokens are being sent. `settled`: final';

const NOTE = 'Ticket 4711: paid to the new account of the payer';

class SettlementReferenceDto {
  @Required(
    opaqueId(60),
    "The bank's reference of the payment that sent the money back: an end-to-end id or the control number of a TED. " +
      'Each reference settles one payment. A payment that Ponte made or received settles none',
    'E1234567820260201093000000000042',
  )
  'bank-reference'!: string;
}

export class SettlementRequestDto extends SettlementReferenceDto {
  @Required(lines(2_000), "What was done. Stored encrypted with the payer's data", NOTE)
  note!: string;
}

export class SettlementDecisionDto {
  @Required(whole, 'The number of the proposal, as shown in `settlement`', 1)
  proposal!: number;
}

export class SettlementDto extends ProposalOf(SettlementReferenceDto) {
  @Optional(
    lines(2_000),
    'What was done. Absent if the view of it is not recorded. `[erased]` after the data of the payer was erased, ' +
      '`[unavailable]` if it is damaged',
    NOTE,
  )
  note?: string;
}

/** A payment whose money is, or was, in suspense. Only the note of its settlement may contain personal data. */
export class FailedReturnDto extends ReceivedPaymentDto {
  @Required(oneOf(['pix', 'ted', 'token']), 'Payment method, or `token`', 'pix')
  declare type: string;

  @Required(oneOf(SUSPENSE_CAUSES), CAUSE, 'return-refused')
  cause!: SuspenseCause;

  @Required(oneOf(SUSPENSE_STATUSES), STATUS, 'proposed')
  status!: SuspenseStatus;

  @Nullable(uuid, 'The withdrawal whose payment the bank returned. Null for any other payment')
  'withdrawal-id'!: string | null;

  @Required(text(1, 60), 'The reason for the return, or why no account may receive it', 'payer-tax-id-mismatch')
  reason!: string;

  @Required(whole, 'The number of attempts at the bank, each under a new id', 5)
  attempts!: number;

  @Required(instant, 'When the bank refused the last attempt, or when unallocated money was booked', SAMPLE.time)
  'failed-at'!: string;

  @NullableObject(
    () => SettlementDto,
    'The last proposal, unless it was rejected. If `settled-at` is set and `confirmed-by` is null, the bank took the ' +
      'payment back itself while the proposal waited: the payer may have been paid twice',
  )
  settlement!: SettlementDto | null;

  @NullableObject(() => SendingDto, 'Tokens: the last proposal, unless it was rejected or nothing moved')
  sending!: SendingDto | null;

  @NullableObject(() => SendingFailureDto, 'Tokens: why the last proposal that was confirmed moved nothing')
  'sending-failure'!: SendingFailureDto | null;

  @Nullable(instant, 'When it was settled. Null until then')
  'settled-at'!: string | null;
}

export class FailedReturnsDto extends ListOf('failed-returns', () => FailedReturnDto, 'Newest deposit first') {}

export class FailedReturnEnvelopeDto extends EnvelopeOf('failed-return', () => FailedReturnDto, 'The payment') {}

export class FailedReturnQuery {
  @Required(oneOf(VIEW_PURPOSES), 'Why you view the note. It is then shown, and the view is recorded', 'review')
  purpose!: ViewPurpose;
}

export class FailedReturnsQuery extends PageQuery {
  @Optional(oneOf(SUSPENSE_STATUSES), 'Only payments with this status', 'proposed')
  status?: SuspenseStatus;

  @Optional(oneOf(SUSPENSE_CAUSES), 'Only payments with this cause', 'return-refused')
  cause?: SuspenseCause;
}

export const SETTLEMENT_REQUEST_EXAMPLE = exampleOf(SettlementRequestDto);
export const SETTLEMENT_DECISION_EXAMPLE = exampleOf(SettlementDecisionDto);
export const FAILED_RETURN_EXAMPLE: FailedReturnDto = exampleOf(FailedReturnDto, {
  'withdrawal-id': null,
  settlement: exampleOf(SettlementDto, { 'confirmed-by': null }),
  sending: null,
  'sending-failure': null,
  'settled-at': null,
});
