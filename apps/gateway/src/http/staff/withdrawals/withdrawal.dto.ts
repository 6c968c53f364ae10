import type { AddressVerdict } from '@ponte/contracts';
import { instant, oneOf, text, textList, uuid } from '../../../validation/field-types';
import { Optional, OptionalObject, Required, RequiredObject, RequiredObjects } from '../../../validation/members';
import { lines } from '../../../validation/person-field-types';
import { SAMPLE } from '../../samples';
import { WITHDRAWAL_EXAMPLE, WithdrawalDto, WithdrawalsQuery } from '../../withdrawals/withdrawal.dto';

const VERDICTS = ['false-positive', 'true-match'];

export class WithdrawalReviewDto {
  @Required(oneOf(VERDICTS), 'Whether the list means this address', 'false-positive')
  verdict!: AddressVerdict;

  @Required(lines(2_000), 'What the verdict rests on', 'Ticket 4711: the entry was removed from the list')
  reason!: string;
}

export class AddressHitDto {
  @Required(text(1, 60), 'The list', 'ofac-sdn')
  list!: string;

  @Required(text(1, 60), 'The entry of the list that names the address', '36987')
  'entry-id'!: string;

  @Required(textList(50), 'Sanctions programs of the entry', ['CYBER2'])
  programs!: string[];
}

export class WithdrawalVerdictDto extends WithdrawalReviewDto {
  @Required(text(1, 60), 'Who decided', SAMPLE.parentId)
  'staff-id'!: string;

  @Required(instant, 'When', SAMPLE.time)
  'reviewed-at'!: string;
}

export class AddressReviewDto {
  @Required(instant, 'Since when the withdrawal is held', SAMPLE.time)
  'held-at'!: string;

  @RequiredObjects(() => AddressHitDto, 'Entries that name the address')
  hits!: AddressHitDto[];

  @RequiredObjects(() => WithdrawalVerdictDto, 'Verdicts so far')
  verdicts!: WithdrawalVerdictDto[];
}

/** A withdrawal as staff see it: whose it is and who asked for it, with the payee masked. */
export class StaffWithdrawalDto extends WithdrawalDto {
  @Required(uuid, 'Whose it is', SAMPLE.accountId)
  'account-id'!: string;

  @Required(text(0, 60), 'Account of the API key that asked', SAMPLE.parentId)
  'created-by'!: string;

  @Required(text(1, 60), 'The API key that asked', SAMPLE.keyId)
  'created-by-api-key'!: string;

  @OptionalObject(() => AddressReviewDto, 'When sanctions lists name the address: the hits, and what staff decided')
  review?: AddressReviewDto;
}

export class StaffWithdrawalEnvelopeDto {
  @RequiredObject(() => StaffWithdrawalDto, 'The withdrawal')
  withdrawal!: StaffWithdrawalDto;
}

export class StaffWithdrawalsDto {
  @RequiredObjects(() => StaffWithdrawalDto, 'Newest first')
  withdrawals!: StaffWithdrawalDto[];
}

export class StaffWithdrawalsQuery extends WithdrawalsQuery {
  @Optional(uuid, 'Of this account', SAMPLE.accountId)
  'account-id'?: string;
}

export const WITHDRAWAL_REVIEW_EXAMPLE: WithdrawalReviewDto = {
  verdict: 'false-positive',
  reason: 'Ticket 4711: the entry was removed from the list',
};
export const STAFF_WITHDRAWAL_EXAMPLE: StaffWithdrawalDto = {
  ...WITHDRAWAL_EXAMPLE,
  'pix-key': '***',
  'account-id': SAMPLE.accountId,
  'created-by': SAMPLE.parentId,
  'created-by-api-key': SAMPLE.keyId,
};
