import type { AssetId } from '@ponte/kernel';
import { asset, ofText, oneOf, rule, signedDecimal as signed, text, whole } from '../../validation/field-types';
import type { FieldType } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether the date exists in the calendar. */
function isDay(value: string): boolean {
  const time = DAY.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

const day: FieldType = {
  rules: [
    ...text(10, 10).rules,
    rule('isDay', ofText(isDay), 'invalid-format', 'must be a date in the form 2026-01-31'),
  ],
  schema: { type: 'string', format: 'date' },
};

export class ReportPeriodQuery {
  @Required(day, 'The first day, in the time zone of São Paulo', '2026-03-01')
  from!: string;

  @Required(day, 'The last day, in the time zone of São Paulo', '2026-03-31')
  to!: string;
}

export class IofQuery extends ReportPeriodQuery {
  @Optional(oneOf(['day', 'month']), 'month when absent', 'month')
  by?: 'day' | 'month';
}

/** One token on one day. BRL amounts have two decimals, token amounts those of the token. */
export class FxDayDto {
  @Required(day, 'The day, in the time zone of São Paulo', '2026-03-02')
  day!: string;

  @Required(asset, 'The token', 'eth-base/usdc')
  asset!: AssetId;

  @Required(whole, 'The number of orders that were settled', 2)
  trades!: number;

  @Required(signed, 'Tokens paid out by the treasury', '179.096457')
  'tokens-sold'!: string;

  @Required(signed, 'The market value of what was sold, without charges', '956.59')
  'brl-received'!: string;

  @Required(signed, 'Tokens received by the treasury', '100.000000')
  'tokens-bought'!: string;

  @Required(signed, 'The market value of what was bought, without charges', '534.12')
  'brl-paid'!: string;

  @Required(signed, 'Spread earned', '11.94')
  spread!: string;

  @Required(signed, 'Fees earned', '4.00')
  fees!: string;

  @Required(signed, 'The IOF charged, which is owed to the state', '33.75')
  iof!: string;

  @Required(signed, 'Tokens at the end of the day: bought minus sold since the first trade', '-79.096457')
  'token-position'!: string;

  @Required(signed, 'BRL at the end of the day: received minus paid since the first trade', '422.47')
  'brl-position'!: string;

  @Required(signed, "The average market rate of the day's trades, which is used to value the position", '5.3412000138')
  rate!: string;

  @Required(signed, 'The spread, the fees, and the change in the value of the position', '15.94')
  profit!: string;
}

export class FxDaysDto extends ListOf('fx-days', () => FxDayDto, 'Oldest first. Days without a trade have no row') {}

export class IofPeriodDto {
  @Required(text(7, 10), 'The day, or the month as YYYY-MM', '2026-03')
  period!: string;

  @Required(whole, 'The number of FX orders in the period', 2)
  trades!: number;

  @Required(signed, 'IOF in BRL', '33.75')
  amount!: string;
}

export class IofPeriodsDto extends ListOf(
  'iof-periods',
  () => IofPeriodDto,
  'Oldest first. Periods without an FX order have no row',
) {}

export const FX_DAY_EXAMPLE = exampleOf(FxDayDto);
export const IOF_PERIOD_EXAMPLE = exampleOf(IofPeriodDto);
