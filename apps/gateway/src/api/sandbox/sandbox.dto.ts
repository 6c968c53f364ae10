import { SIMULATED_DEPOSIT_TYPES } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { ASSET_IDS } from '@ponte/kernel';
import { address, amount, asset, decimal, flag, instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';
import { exactlyOneOf, isValue, sentWithout, Together } from '../../validation/together';
import { SAMPLE } from '../samples';

/**
 * The frame of every BR Code: it starts with payload format 01 and ends with the checksum field. Other text that a user
 * may paste, such as a name or a tax id, is refused here and enters no message. The bank parses the rest.
 */
const BR_CODE = /^000201[\x20-\x7e]*6304[0-9A-Fa-f]{4}$/;

/** A simulated Pix payment, either to a code or to the static code of an account. */
@Together(exactlyOneOf('brcode', 'account-id'))
export class PixPaymentRequestDto {
  @Optional(
    text(1, 600, BR_CODE, 'must be a complete Pix code, as it was shown'),
    'Pix copy-and-paste code of the order or account to pay',
    SAMPLE.brcode,
  )
  brcode?: string;

  @Optional(uuid, 'The account to fund, instead of a code', SAMPLE.accountId)
  'account-id'?: string;

  @Optional(amount, 'Required for a code without an amount; if absent, the amount of the charge', '100.00')
  amount?: string;

  @Optional(text(11, 18), "CPF or CNPJ of the payer; if absent, that of the account's holder", '52998224725')
  'payer-tax-id'?: string;
}

export class PixPaymentDto {
  @Required(text(1, 60), 'Id of the payment at the bank', SAMPLE.endToEndId)
  'end-to-end-id'!: string;

  @Required(decimal, 'Amount that was paid', '100.00')
  amount!: string;

  @Required(instant, 'When the bank settled it', SAMPLE.time)
  'settled-at'!: string;
}

export class PixPaymentEnvelopeDto extends EnvelopeOf('pix-payment', () => PixPaymentDto, 'The payment') {}

/** A field that is null or absent returns the value to its source. */
export class PricingControlDto {
  @Optional(amount, 'BRL for one USD; if absent, the rate of the rate source', '5.3412000000')
  rate?: string;

  @Optional(flag, 'Whether quotes are off-market; if absent, as computed by the rules', true)
  'off-market'?: boolean;
}

export class PricingStateDto {
  @Optional(decimal, 'BRL for one USD; absent if the rate source decides', '5.3412000000')
  rate?: string;

  @Optional(flag, 'Whether quotes are off-market; absent if the rules decide', true)
  'off-market'?: boolean;
}

export class PricingStateEnvelopeDto extends EnvelopeOf('pricing', () => PricingStateDto, 'The current settings') {}

export const PIX_PAYMENT_REQUEST_EXAMPLE: PixPaymentRequestDto = { 'account-id': SAMPLE.accountId, amount: '100.00' };
export const PRICING_EXAMPLE: PricingStateEnvelopeDto = { pricing: { rate: '5.3412000000', 'off-market': true } };

const SANDBOX_DEPOSIT_TYPES = [...SIMULATED_DEPOSIT_TYPES, 'token'] as const;

@Together({
  if: isValue('type', 'token'),
  then: sentWithout(['asset'], ['payer-tax-id']),
  else: sentWithout([], ['asset', 'target-address']),
})
export class SandboxDepositRequestDto {
  @Required(uuid, 'The account to fund', SAMPLE.accountId)
  'account-id'!: string;

  @Required(
    oneOf(SANDBOX_DEPOSIT_TYPES),
    'Type of the deposit; manual-fx is USD, recorded and confirmed by two simulated staff members; token is sent on a chain of the sandbox',
    'ted',
  )
  type!: (typeof SANDBOX_DEPOSIT_TYPES)[number];

  @Required(amount, 'Amount in BRL, in USD for manual-fx, in the asset for token', '100.00')
  amount!: string;

  @Optional(
    oneOf(ASSET_IDS),
    'token: the asset. Before it can send tokens issued by Ponte, the simulated external address must receive some',
    'eth-base/usdc',
  )
  asset?: AssetId;

  @Optional(
    address,
    "token: a wallet of the account; if absent, the account's first wallet on the chain",
    SAMPLE.wallet,
  )
  'target-address'?: string;

  @Optional(
    text(11, 18),
    "pix and ted: CPF or CNPJ of the payer; if absent, that of the account's holder",
    '52998224725',
  )
  'payer-tax-id'?: string | null;
}

export class SandboxDepositDto {
  @Required(oneOf(SANDBOX_DEPOSIT_TYPES), 'Type of the deposit', 'ted')
  type!: string;

  @Required(asset, 'Asset that is deposited', 'fiat/brl')
  asset!: string;

  @Required(decimal, 'Amount', '100.00')
  amount!: string;

  @Optional(
    text(1, 80),
    'The `end-to-end-id` of the deposit, which appears in the list a moment later; absent for token',
    'STR0123456789ABCDEF0123',
  )
  'end-to-end-id'?: string;

  @Optional(text(66, 66, /^0x[0-9a-f]{64}$/), 'token: hash of the transaction, which is the `tx-hash` of the deposit')
  'tx-hash'?: string;

  @Optional(address, 'token: the simulated external address that sent the tokens', SAMPLE.otherWallet)
  'source-address'?: string;

  @Optional(address, 'token: the wallet', SAMPLE.wallet)
  'target-address'?: string;
}

export class SandboxDepositEnvelopeDto extends EnvelopeOf(
  'deposit',
  () => SandboxDepositDto,
  'The simulated deposit',
) {}

export const SANDBOX_DEPOSIT_EXAMPLE: SandboxDepositEnvelopeDto = {
  deposit: exampleOf(SandboxDepositDto, { 'end-to-end-id': 'STR0123456789ABCDEF0123' }),
};
