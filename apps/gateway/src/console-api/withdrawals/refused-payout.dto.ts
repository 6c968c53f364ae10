import type { RefusedPayoutStatus } from '@ponte/contracts';
import { REFUSED_PAYOUT_STATUSES } from '@ponte/contracts';
import { PageQuery } from '../../pagination/page-query';
import { SAMPLE } from '../../api/samples';
import { ListOf } from '../../validation/envelopes';
import { asset, decimal, instant, oneOf, text, uuid } from '../../validation/field-types';
import { exampleOf, Nullable, Optional, Required } from '../../validation/fields';

const STATUS =
  '`waiting`: the bank will be asked again whether it made the payment. `made`: the bank made it anyway. ' +
  '`closed`: the bank did not make it, and is asked again only when it reports something about the payment';

/** A payout whose withdrawal was rolled back. It contains no personal data. */
export class RefusedPayoutDto {
  @Required(uuid, 'Id of the withdrawal', SAMPLE.withdrawalId)
  'withdrawal-id'!: string;

  @Required(uuid, 'The account, which has its funds back', SAMPLE.accountId)
  'account-id'!: string;

  @Nullable(uuid, 'The order that the payout was to deliver. Null for any other withdrawal', SAMPLE.orderId)
  'order-id'!: string | null;

  @Required(oneOf(REFUSED_PAYOUT_STATUSES), STATUS, 'waiting')
  status!: RefusedPayoutStatus;

  @Required(oneOf(['pix', 'ted']), 'Payment method', 'pix')
  method!: string;

  @Required(asset, 'The asset', 'fiat/brl')
  asset!: string;

  @Required(decimal, 'The amount, at the scale of the asset', '100.00')
  amount!: string;

  @Required(text(1, 60), "The code of the withdrawal's failure", 'bank-refused')
  reason!: string;

  @Required(instant, 'When the withdrawal was rolled back', SAMPLE.time)
  'rolled-back-at'!: string;

  @Nullable(instant, 'When the bank is asked again. Null unless the status is `waiting`', SAMPLE.later)
  'check-again-at'!: string | null;

  @Nullable(
    text(1, 60),
    'The id of the payment at the bank. Null unless the status is `made`, and if the bank does not name the payment',
    SAMPLE.endToEndId,
  )
  'end-to-end-id'!: string | null;

  @Nullable(
    instant,
    'When the loss was posted. Null unless the status is `made`, and if the account had been debited for the payment',
    SAMPLE.later,
  )
  'posted-at'!: string | null;
}

export class RefusedPayoutsDto extends ListOf('refused-payouts', () => RefusedPayoutDto, 'Latest rollback first') {}

export class RefusedPayoutsQuery extends PageQuery {
  @Optional(oneOf(REFUSED_PAYOUT_STATUSES), 'Only payouts with this status', 'waiting')
  status?: RefusedPayoutStatus;
}

export const REFUSED_PAYOUT_EXAMPLE: RefusedPayoutDto = exampleOf(RefusedPayoutDto, {
  'order-id': null,
  'end-to-end-id': null,
  'posted-at': null,
});
