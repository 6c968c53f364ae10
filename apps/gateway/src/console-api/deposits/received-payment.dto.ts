import { asset, decimal, oneOf, text, uuid } from '../../validation/field-types';
import { Nullable, Required } from '../../validation/fields';
import { SAMPLE } from '../../api/samples';

/** What the lists of failed and of double returns show of a payment. It contains no personal data. */
export class ReceivedPaymentDto {
  @Required(uuid, 'Id of the deposit', SAMPLE.depositId)
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
}
