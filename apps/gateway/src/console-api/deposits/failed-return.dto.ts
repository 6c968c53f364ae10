import { asset, decimal, instant, oneOf, text, uuid, whole } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { exampleOf, Nullable, Required } from '../../validation/members';
import { SAMPLE } from '../../api/samples';

/** A payment that the bank permanently refused to return to its payer. It contains no personal data. */
export class FailedReturnDto {
  @Required(uuid, 'The deposit', SAMPLE.depositId)
  'deposit-id'!: string;

  @Nullable(uuid, 'The account. Null if the payment named none', SAMPLE.accountId)
  'account-id'!: string | null;

  @Required(oneOf(['pix', 'ted']), 'Payment method', 'pix')
  type!: string;

  @Required(asset, 'The asset that was received', 'fiat/brl')
  asset!: string;

  @Required(decimal, 'The amount, at the scale of the asset', '100.00')
  amount!: string;

  @Nullable(text(1, 60), 'The id of the payment at the bank', SAMPLE.endToEndId)
  'end-to-end-id'!: string | null;

  @Required(text(1, 60), 'The reason for the return', 'payer-tax-id-mismatch')
  reason!: string;

  @Required(whole, 'The number of attempts at the bank, each under a new id', 5)
  attempts!: number;

  @Required(instant, 'When the bank refused the last attempt', SAMPLE.time)
  'failed-at'!: string;
}

export class FailedReturnsDto extends ListOf('failed-returns', () => FailedReturnDto, 'Newest deposit first') {}

export const FAILED_RETURN_EXAMPLE = exampleOf(FailedReturnDto);
