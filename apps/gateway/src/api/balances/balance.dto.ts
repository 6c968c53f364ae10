import type { BalanceRecord } from '@ponte/contracts';
import { decimal, instant, signedDecimal } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { Required } from '../../validation/fields';
import { SAMPLE } from '../samples';

export class BalanceDto {
  @Required(signedDecimal, 'Posted amount, with the decimal places of the asset', '1250.00')
  'running-balance'!: string;

  @Required(signedDecimal, 'Posted and not held; negative only after the bank reversed a payment', '1150.00')
  'available-balance'!: string;

  @Required(decimal, 'Held for orders, transfers and withdrawals', '100.00')
  'held-balance'!: string;

  @Required(instant, 'When the balance was read', SAMPLE.time)
  'as-of'!: string;
}

export class BalanceEnvelopeDto extends EnvelopeOf('balance', () => BalanceDto, 'The sum over all chains') {}

export const balanceDto = (balance: BalanceRecord): BalanceDto => ({
  'running-balance': balance.running,
  'available-balance': balance.available,
  'held-balance': balance.held,
  'as-of': balance.asOf,
});
