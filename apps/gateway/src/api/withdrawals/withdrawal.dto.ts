import type { WithdrawalMethod, WithdrawalState } from '@ponte/contracts';
import { WITHDRAWAL_METHODS, withdrawalMachine } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { asset, decimal, instant, oneOf, opaqueId, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, OptionalNullable, OptionalObject, Required } from '../../validation/fields';
import { FailureDto } from '../orders/order.dto';
import { SAMPLE } from '../samples';

const STATES = Object.keys(withdrawalMachine);
export const externalId = opaqueId(100);

export class WithdrawalDto {
  @Required(uuid, 'Id of the withdrawal', SAMPLE.withdrawalId)
  id!: string;

  @Required(asset, 'Asset that is withdrawn', 'fiat/brl')
  asset!: string;

  @Required(decimal, 'Amount, with the decimal places of the asset', '100.00')
  amount!: string;

  @Required(oneOf(WITHDRAWAL_METHODS), 'Withdrawal method', 'pix')
  method!: string;

  @Required(oneOf(STATES), 'See GET /api/v1/state-machines', 'created')
  state!: string;

  @Required(instant, 'When it reached this state', SAMPLE.time)
  'state-updated-at'!: string;

  @Required(instant, 'When it was requested', SAMPLE.time)
  'created-at'!: string;

  @Optional(instant, 'TED that waits for banking hours: when it will be sent', SAMPLE.later)
  'scheduled-for'?: string;

  @Optional(text(1, 77), 'Method pix: the Pix key', SAMPLE.pixKey)
  'pix-key'?: string;

  @Optional(text(1, 8), 'Method ted: COMPE or ISPB code')
  'bank-code'?: string;

  @Optional(text(1, 13), 'Method ted: branch')
  'branch-number'?: string;

  @Optional(text(1, 40), 'Method ted: account number')
  'account-number'?: string;

  @Optional(text(1, 80), 'Method ted: name of the account holder')
  'account-holder-name'?: string;

  @Optional(text(1, 18), 'Method ted: CPF or CNPJ of the account holder')
  'account-holder-tax-id'?: string;

  @Optional(text(1, 64), 'Method token: the address')
  'destination-wallet-address'?: string;

  @OptionalNullable(
    text(66, 66, /^0x[0-9a-f]{64}$/),
    'Method token: its transaction; null until it is known, absent if the withdrawal was rolled back before that',
  )
  'tx-hash'?: string | null;

  @OptionalNullable(
    text(1, 60),
    'Methods pix and ted: id of the completed payment in the Pix or TED system; null until it is known, absent if the withdrawal was rolled back',
  )
  'end-to-end-id'?: string | null;

  @Optional(externalId, 'Your own id, as sent')
  'external-id'?: string;

  @Optional(uuid, 'The order whose BRL it pays out to a Pix key', SAMPLE.orderId)
  'order-id'?: string;

  @OptionalObject(() => FailureDto, 'Why the withdrawal was rolled back')
  failure?: FailureDto;
}

export class WithdrawalEnvelopeDto extends EnvelopeOf('withdrawal', () => WithdrawalDto, 'The withdrawal') {}

export class WithdrawalsDto extends ListOf('withdrawals', () => WithdrawalDto, 'Newest first') {}

/** The query when the path names the asset. */
export class AssetWithdrawalsQuery extends PageQuery {
  @Optional(oneOf(STATES), 'Only in this state')
  state?: WithdrawalState;

  @Optional(oneOf(WITHDRAWAL_METHODS), 'Only with this method')
  method?: WithdrawalMethod;

  @Optional(externalId, 'Only the one with this external id')
  'external-id'?: string;
}

export class WithdrawalsQuery extends AssetWithdrawalsQuery {
  @Optional(asset, 'Only of this asset')
  asset?: AssetId;
}
export const WITHDRAWAL_EXAMPLE = exampleOf(WithdrawalDto, {
  'pix-key': SAMPLE.pixKey,
  'end-to-end-id': null,
  'external-id': 'payout-4711',
});
