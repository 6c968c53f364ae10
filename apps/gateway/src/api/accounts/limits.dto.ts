import type { PairLimits } from '@ponte/contracts';
import { asset, decimal, oneOf } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { Required } from '../../validation/members';

export class LimitDto {
  @Required(asset, 'Source of the pair', 'fiat/brl')
  'source-asset'!: string;

  @Required(asset, 'Target of the pair', 'eth-base/brlv')
  'target-asset'!: string;

  @Required(
    oneOf(['source', 'target']),
    'Which amount the quote is requested with: source-amount or target-amount',
    'source',
  )
  side!: string;

  @Required(asset, 'Asset of that amount', 'fiat/brl')
  asset!: string;

  @Required(decimal, 'The smallest amount that is quoted', '1.00')
  minimum!: string;

  @Required(decimal, 'The largest amount that is quoted', '10000000.00')
  maximum!: string;
}

export class LimitsDto extends ListOf(
  'limits',
  () => LimitDto,
  'For one quote at the rate of this moment, without a rate lock: both sides of each pair that can be ordered. A pair whose rate is not known is left out',
) {}

export const limitDto = ({ sourceAsset, targetAsset, side, asset: of, minimum, maximum }: PairLimits): LimitDto => ({
  'source-asset': sourceAsset,
  'target-asset': targetAsset,
  side,
  asset: of,
  minimum,
  maximum,
});
