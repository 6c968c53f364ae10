import type { AssetId } from '@ponte/kernel';
import { ASSET_IDS, assetOf } from '@ponte/kernel';
import type { FieldType } from '../../validation/field-types';
import { amount, asset, decimal, flag, instant, oneOf, text, uuid, whole } from '../../validation/field-types';
import { Optional, Required, RequiredObject } from '../../validation/fields';
import { Together } from '../../validation/together';
import { SAMPLE } from '../samples';

const TRADE_REASONS = ['transfer-between-same-entity-accounts', 'international-travels'] as const;
type TradeReason = (typeof TRADE_REASONS)[number];

/** Any string in the document, because {@link IGNORED_REASON} makes the rule depend on the assets. */
const tradeReason: FieldType = {
  ...oneOf(TRADE_REASONS),
  schema: { type: 'string', anyOf: [{ enum: [...TRADE_REASONS] }, { type: 'string' }] },
};

/** The assets that are worth one BRL, or a share of BRL. Between them, a trade reason has no meaning. */
export const SAME_CURRENCY = ASSET_IDS.filter((id) => /brl/i.test(assetOf(id).symbol));

const among = (names: readonly string[]) => ({ enum: [...names] });
const IGNORED_REASON = {
  if: { properties: { 'source-asset': among(SAME_CURRENCY), 'target-asset': among(SAME_CURRENCY) } },
  else: { properties: { 'trade-reason': { enum: [...TRADE_REASONS, null] } } },
};

@Together(IGNORED_REASON)
export class QuoteRequestDto {
  @Required(asset, 'Source asset', 'fiat/brl')
  'source-asset'!: AssetId;

  @Required(asset, 'Target asset', 'eth-base/brlv')
  'target-asset'!: AssetId;

  @Optional(amount, 'The amount to pay; send exactly one of source-amount and target-amount', '100.00')
  'source-amount'?: string;

  @Optional(amount, 'The amount to receive', '100.00')
  'target-amount'?: string;

  @Optional(
    tradeReason,
    'Classification of the central bank; required between BRL and an asset that is not pegged to BRL, otherwise ignored',
    'transfer-between-same-entity-accounts',
  )
  'trade-reason'?: TradeReason;

  @Optional(text(1, 40), 'Name of a rate lock that is enabled for the account', '5m')
  'rate-lock'?: string;
}

/** Quote units for one base unit. */
export class RateDto {
  @Required(decimal, 'The rate, with 10 decimals', '1.0000000000')
  amount!: string;

  @Required(text(1, 10), 'Symbol of the base asset', 'BRLV')
  base!: string;

  @Required(text(1, 10), 'Symbol of the quote asset', 'BRL')
  quote!: string;
}

export class SpreadDto {
  @Required(decimal, 'Amount in BRL', '0.00')
  amount!: string;

  @Required(asset, 'Asset of the amount', 'fiat/brl')
  asset!: string;

  @Required(whole, 'Basis points, 0 between pegged assets', 0)
  bps!: number;
}

export class FeeDto {
  @Required(decimal, 'Amount in BRL', '0.00')
  amount!: string;

  @Required(asset, 'Asset of the amount', 'fiat/brl')
  asset!: string;

  @Required(oneOf(['fixed']), 'How the fee is calculated', 'fixed')
  kind!: string;
}

export class IofDto {
  @Required(decimal, 'Amount in BRL', '0.00')
  amount!: string;

  @Required(asset, 'Asset of the amount', 'fiat/brl')
  asset!: string;

  @Required(flag, 'Whether the tax applies', false)
  applicable!: boolean;

  @Required(text(1, 100), 'The rule that decides this', 'psav-res-521-2025')
  'basis-ref'!: string;
}

export class PricingDto {
  @RequiredObject(() => RateDto, 'Rate before the spread')
  'base-rate'!: RateDto;

  @RequiredObject(() => SpreadDto, 'Spread of Ponte')
  spread!: SpreadDto;

  @RequiredObject(() => FeeDto, 'The fee')
  fee!: FeeDto;

  @RequiredObject(() => IofDto, 'The tax on foreign exchange')
  iof!: IofDto;
}

/** The published Quote record, which has no envelope. */
export class QuoteDto {
  @Required(uuid, 'Id of the quote', SAMPLE.quoteId)
  id!: string;

  @Required(asset, 'Source asset', 'fiat/brl')
  'source-asset'!: string;

  @Required(asset, 'Target asset', 'eth-base/brlv')
  'target-asset'!: string;

  @Required(decimal, 'Source amount, with the decimal places of the source asset, rounded down', '100.00')
  'source-amount'!: string;

  @Required(
    decimal,
    'Target amount, with the decimal places of the target asset, rounded down',
    '100.000000000000000000',
  )
  'target-amount'!: string;

  @Required(instant, 'When it was issued', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'When it expires', SAMPLE.later)
  'expires-at'!: string;

  @RequiredObject(() => PricingDto, 'Components of the rate')
  pricing!: PricingDto;

  @Required(flag, 'True when priced outside normal market conditions', false)
  'off-market-pricing'!: boolean;

  @RequiredObject(() => RateDto, 'All-in rate (valor efetivo total): with spread, fee and IOF')
  vet!: RateDto;

  @Optional(oneOf(TRADE_REASONS), 'As sent; absent if not applicable')
  'trade-reason'?: string;

  @Optional(text(5, 5), "The central bank's code of the trade reason")
  'trade-reason-code'?: string;

  @Optional(text(1, 40), 'The granted rate lock')
  'rate-lock'?: string;
}
