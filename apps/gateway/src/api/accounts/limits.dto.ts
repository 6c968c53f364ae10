import { toWire } from '@ponte/kernel';
import type { PairLimits } from '@ponte/contracts';
import { asset, decimal, oneOf } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { Required } from '../../validation/fields';

export class LimitDto {
  @Required(asset, 'Source asset', 'fiat/brl')
  'source-asset'!: string;

  @Required(asset, 'Target asset', 'eth-base/brlv')
  'target-asset'!: string;

  @Required(
    oneOf(['source', 'target']),
    'The amount that the quote is requested with: source-amount or target-amount',
    'source',
  )
  side!: string;

  @Required(asset, 'Asset of that amount', 'fiat/brl')
  asset!: string;

  @Required(decimal, 'The smallest amount that can be quoted', '1.00')
  minimum!: string;

  @Required(decimal, 'The largest amount that can be quoted', '10000000.00')
  maximum!: string;
}

export class LimitsDto extends ListOf(
  'limits',
  () => LimitDto,
  'Limits of one quote at the current rate, without a rate lock and with the IOF of transfer-between-same-entity-accounts, for both sides of each pair that can be ordered. A pair without a current rate is left out',
) {}

export const limitDto = (limits: PairLimits): LimitDto =>
  toWire(limits, 'sourceAsset', 'targetAsset', 'side', 'asset', 'minimum', 'maximum');
