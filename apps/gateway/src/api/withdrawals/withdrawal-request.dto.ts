import type { WithdrawalMethod } from '@ponte/contracts';
import { WITHDRAWAL_METHODS } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { ASSET_IDS, isToken } from '@ponte/kernel';
import { amount, asset, oneOf, text } from '../../validation/field-types';
import { OptionalNullable, Required } from '../../validation/fields';
import { personName } from '../../validation/name-field-types';
import { Together, isValue, sentWithout } from '../../validation/together';
import { SAMPLE } from '../samples';
import { externalId } from './withdrawal.dto';

const METHOD = 'Withdrawal method; may be omitted for token';

/** The payee of a withdrawal. The fields of its method are required, all others are unknown fields. */
export class WithdrawalTargetDto {
  @OptionalNullable(
    text(1, 77),
    'Method pix: CPF, CNPJ, e-mail address, +55 phone number or random key; Ponte detects which',
    SAMPLE.pixKey,
  )
  'pix-key'?: string | null;

  @OptionalNullable(text(1, 8), 'Method ted: COMPE (3 digits) or ISPB (8 characters)', '001')
  'bank-code'?: string | null;

  @OptionalNullable(text(1, 4), 'Method ted: branch, without a check digit', '1584')
  'branch-number'?: string | null;

  @OptionalNullable(
    text(1, 21),
    'Method ted: account number; the last character is its check digit, which may be X or P',
    '00210169-6',
  )
  'account-number'?: string | null;

  @OptionalNullable(personName(80), 'Method ted: name of the account holder', 'Ana Duarte')
  'account-holder-name'?: string | null;

  @OptionalNullable(text(1, 18), 'Method ted: CPF or CNPJ of the account holder', '52998224725')
  'account-holder-tax-id'?: string | null;
}

const FIELDS = {
  pix: ['pix-key'],
  ted: ['bank-code', 'branch-number', 'account-number', 'account-holder-name', 'account-holder-tax-id'],
  token: ['destination-wallet-address'],
} as const satisfies Readonly<Record<WithdrawalMethod, readonly string[]>>;

export const METHOD_FIELDS: Readonly<Record<WithdrawalMethod, readonly string[]>> = FIELDS;

/** The body when the path names the asset. */
@Together({
  if: isValue('method', 'pix'),
  then: sentWithout(FIELDS.pix, FIELDS.ted),
  else: sentWithout(FIELDS.ted, FIELDS.pix),
})
export class AssetWithdrawalRequestDto extends WithdrawalTargetDto {
  @Required(oneOf(['pix', 'ted']), 'Withdrawal method', 'pix')
  method!: WithdrawalMethod;

  @Required(amount, 'Amount, with at most the decimal places of the asset', '100.00')
  amount!: string;

  @OptionalNullable(externalId, 'Your own id, unique among the withdrawals of the account', 'payout-4711')
  'external-id'?: string | null;
}

@Together({
  if: isValue('method', 'pix'),
  then: sentWithout(FIELDS.pix, [...FIELDS.ted, ...FIELDS.token]),
  else: {
    if: isValue('method', 'ted'),
    then: sentWithout(FIELDS.ted, [...FIELDS.pix, ...FIELDS.token]),
    else: {
      ...sentWithout(FIELDS.token, [...FIELDS.pix, ...FIELDS.ted]),
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

  @Required(amount, 'Amount, with at most the decimal places of the asset', '100.00')
  amount!: string;

  @OptionalNullable(text(1, 64), 'Method token: EVM address that receives the tokens', SAMPLE.wallet)
  'destination-wallet-address'?: string | null;

  @OptionalNullable(externalId, 'Your own id, unique among the withdrawals of the account', 'payout-4711')
  'external-id'?: string | null;
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
