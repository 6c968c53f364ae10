import { text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalObject, Required } from '../../validation/fields';
import { SAMPLE } from '../../api/samples';
import { AddressReviewDto } from '../address-reviews/address-review.dto';
import { WITHDRAWAL_EXAMPLE, WithdrawalDto, WithdrawalsQuery } from '../../api/withdrawals/withdrawal.dto';

/** A withdrawal as staff see it: with its account and the API key that requested it, and with the payee masked. */
export class StaffWithdrawalDto extends WithdrawalDto {
  @Required(uuid, 'The account that it belongs to', SAMPLE.accountId)
  'account-id'!: string;

  @Required(text(0, 60), 'The account of the API key that made the request', SAMPLE.parentId)
  'created-by'!: string;

  @Required(text(1, 60), 'The API key that made the request', SAMPLE.keyId)
  'created-by-api-key'!: string;

  @OptionalObject(() => AddressReviewDto, 'If the address is on a sanctions list: the hits, and what staff decided')
  review?: AddressReviewDto;
}

export class StaffWithdrawalEnvelopeDto extends EnvelopeOf('withdrawal', () => StaffWithdrawalDto, 'The withdrawal') {}

export class StaffWithdrawalsDto extends ListOf('withdrawals', () => StaffWithdrawalDto, 'Newest first') {}

export class StaffWithdrawalsQuery extends WithdrawalsQuery {
  @Optional(uuid, 'Only of this account', SAMPLE.accountId)
  'account-id'?: string;
}

export const STAFF_WITHDRAWAL_EXAMPLE = exampleOf(StaffWithdrawalDto, { ...WITHDRAWAL_EXAMPLE, 'pix-key': '***' });
