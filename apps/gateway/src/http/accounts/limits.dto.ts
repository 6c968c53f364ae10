import { asset, decimal } from '../../shape/kinds';
import { Required, RequiredObjects } from '../../shape/members';

export class LimitDto {
  @Required(asset, 'Asset of the amounts', 'fiat/brl')
  asset!: string;

  @Required(decimal, 'At least', '1.00')
  minimum!: string;

  @Required(decimal, 'At most', '10000000.00')
  maximum!: string;
}

export class LimitsDto {
  @RequiredObjects(() => LimitDto, 'Per quote')
  limits!: LimitDto[];
}

export const LIMITS_EXAMPLE: LimitsDto = { limits: [{ asset: 'fiat/brl', minimum: '1.00', maximum: '10000000.00' }] };
