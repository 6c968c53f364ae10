import type { WithdrawalMethod, WithdrawalState } from '@ponte/contracts';
import { WITHDRAWAL_METHODS, withdrawalMachine } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { ASSET_IDS, isToken } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { amount, asset, decimal, instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { Optional, OptionalNullable, OptionalObject, Required } from '../../validation/members';
import { isValue, sentWithout, Together } from '../../validation/together';
import { FailureDto } from '../orders/order.dto';
import { SAMPLE } from '../samples';

const STATES = Object.keys(withdrawalMachine);
const externalId = text(1, 100, /^[!-~]+$/);
const METHOD = 'How it is paid out; token may be omitted';

/** Where a withdrawal goes: the members of its method, and of no other. */
export class WithdrawalTargetDto {
  @OptionalNullable(
    text(1, 77),
    'Of method pix: CPF, CNPJ, e-mail address, +55 phone number or random key; the kind is inferred',
    SAMPLE.pixKey,
  )
  'pix-key'?: string | null;

  @OptionalNullable(text(1, 8), 'Of method ted: COMPE (3 digits) or ISPB (8 characters)', '001')
  'bank-code'?: string | null;

  @OptionalNullable(text(1, 4), 'Of method ted: the branch, without a check digit', '1584')
  'branch-number'?: string | null;

  @OptionalNullable(text(1, 21), 'Of method ted: the account, the last character is its check digit', '00210169-6')
  'account-number'?: string | null;

  @OptionalNullable(text(1, 80), 'Of method ted: who holds the account', 'Ana Duarte')
  'account-holder-name'?: string | null;

  @OptionalNullable(text(1, 18), 'Of method ted: CPF or CNPJ of the holder', '52998224725')
  'account-holder-tax-id'?: string | null;
}

const MEMBERS = {
  pix: ['pix-key'],
  ted: ['bank-code', 'branch-number', 'account-number', 'account-holder-name', 'account-holder-tax-id'],
  token: ['destination-wallet-address'],
} as const satisfies Readonly<Record<WithdrawalMethod, readonly string[]>>;

/** The members that each method needs; the others are unknown to it. */
export const METHOD_MEMBERS: Readonly<Record<WithdrawalMethod, readonly string[]>> = MEMBERS;

/** A withdrawal of the asset in the path. */
@Together({
  if: isValue('method', 'pix'),
  then: sentWithout(MEMBERS.pix, MEMBERS.ted),
  else: sentWithout(MEMBERS.ted, MEMBERS.pix),
})
export class AssetWithdrawalRequestDto extends WithdrawalTargetDto {
  @Required(oneOf(['pix', 'ted']), 'How it is paid out', 'pix')
  method!: WithdrawalMethod;

  @Required(amount, "At most the asset's decimals", '100.00')
  amount!: string;

  @OptionalNullable(externalId, 'Your own id, unique per account', 'payout-4711')
  'external-id'?: string | null;
}

@Together({
  if: isValue('method', 'pix'),
  then: sentWithout(MEMBERS.pix, [...MEMBERS.ted, ...MEMBERS.token]),
  else: {
    if: isValue('method', 'ted'),
    then: sentWithout(MEMBERS.ted, [...MEMBERS.pix, ...MEMBERS.token]),
    else: {
      ...sentWithout(MEMBERS.token, [...MEMBERS.pix, ...MEMBERS.ted]),
      if: isValue('method', 'token'),
      else: { properties: { asset: { not: { enum: ASSET_IDS.filter((one) => !isToken(one)) } } } },
    },
  },
})
export class WithdrawalRequestDto extends WithdrawalTargetDto {
  @Required(asset, 'fiat/brl for pix and ted, a token for token', 'fiat/brl')
  asset!: AssetId;

  @OptionalNullable(oneOf(WITHDRAWAL_METHODS), METHOD, 'pix')
  method?: WithdrawalMethod | null;

  @Required(amount, "At most the asset's decimals", '100.00')
  amount!: string;

  @OptionalNullable(text(1, 64), 'Of method token: the EVM address that gets the tokens', SAMPLE.wallet)
  'destination-wallet-address'?: string | null;

  @OptionalNullable(externalId, 'Your own id, unique per account', 'payout-4711')
  'external-id'?: string | null;
}

export class WithdrawalDto {
  @Required(uuid, 'The withdrawal', SAMPLE.withdrawalId)
  id!: string;

  @Required(asset, 'What is withdrawn', 'fiat/brl')
  asset!: string;

  @Required(decimal, "At the asset's scale", '100.00')
  amount!: string;

  @Required(oneOf(WITHDRAWAL_METHODS), 'How it is paid out', 'pix')
  method!: string;

  @Required(oneOf(STATES), 'See GET /api/v1/state-machines', 'created')
  state!: string;

  @Required(instant, 'Since when it is in this state', SAMPLE.time)
  'state-updated-at'!: string;

  @Required(instant, 'When it was requested', SAMPLE.time)
  'created-at'!: string;

  @Optional(instant, 'Of a TED that waits for banking hours: when it is sent', SAMPLE.later)
  'scheduled-for'?: string;

  @Optional(text(1, 77), 'Of method pix', SAMPLE.pixKey)
  'pix-key'?: string;

  @Optional(text(1, 8), 'Of method ted')
  'bank-code'?: string;

  @Optional(text(1, 10), 'Of method ted')
  'branch-number'?: string;

  @Optional(text(1, 40), 'Of method ted')
  'account-number'?: string;

  @Optional(text(1, 80), 'Of method ted')
  'account-holder-name'?: string;

  @Optional(text(1, 18), 'Of method ted')
  'account-holder-tax-id'?: string;

  @Optional(text(1, 64), 'Of method token')
  'destination-wallet-address'?: string;

  @OptionalNullable(text(66, 66, /^0x[0-9a-f]{64}$/), 'Of method token: its transaction, null until it is known')
  'tx-hash'?: string | null;

  @Optional(text(1, 60), 'Id of the completed payment in the Pix or TED system', SAMPLE.endToEndId)
  'end-to-end-id'?: string;

  @Optional(externalId, 'As sent')
  'external-id'?: string;

  @Optional(uuid, 'The order whose BRL it pays out to a Pix key', SAMPLE.orderId)
  'order-id'?: string;

  @OptionalObject(() => FailureDto, 'Of a rolled-back withdrawal: why')
  failure?: FailureDto;
}

export class WithdrawalEnvelopeDto extends EnvelopeOf('withdrawal', () => WithdrawalDto, 'The withdrawal') {}

export class WithdrawalsDto extends ListOf('withdrawals', () => WithdrawalDto, 'Newest first') {}

/** Of a list whose path names the asset. */
export class AssetWithdrawalsQuery extends PageQuery {
  @Optional(oneOf(STATES), 'In this state')
  state?: WithdrawalState;

  @Optional(oneOf(WITHDRAWAL_METHODS), 'By this method')
  method?: WithdrawalMethod;

  @Optional(externalId, 'With this id of yours')
  'external-id'?: string;
}

export class WithdrawalsQuery extends AssetWithdrawalsQuery {
  @Optional(asset, 'Of this asset')
  asset?: AssetId;
}

export const WITHDRAWAL_REQUEST_EXAMPLE: WithdrawalRequestDto = {
  asset: 'fiat/brl',
  method: 'pix',
  amount: '100.00',
  'pix-key': SAMPLE.pixKey,
  'external-id': 'payout-4711',
};
export const ASSET_WITHDRAWAL_REQUEST_EXAMPLE: AssetWithdrawalRequestDto = {
  method: 'ted',
  amount: '100.00',
  'bank-code': '001',
  'branch-number': '1584',
  'account-number': '00210169-6',
  'account-holder-name': 'Ana Duarte',
  'account-holder-tax-id': '52998224725',
};
export const WITHDRAWAL_EXAMPLE: WithdrawalDto = {
  id: SAMPLE.withdrawalId,
  asset: 'fiat/brl',
  amount: '100.00',
  method: 'pix',
  state: 'created',
  'state-updated-at': SAMPLE.time,
  'created-at': SAMPLE.time,
  'pix-key': SAMPLE.pixKey,
  'external-id': 'payout-4711',
};
