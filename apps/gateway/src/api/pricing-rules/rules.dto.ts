import { MAX_BACKTESTED } from '@ponte/contracts';
import { instant, record, text, wholeWithin } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Nullable, Optional, Required, RequiredObject, RequiredObjects } from '../../validation/fields';
import { SAMPLE } from '../samples';

/** A version of the pricing rules without its tables. */
export class RulesVersionDto {
  @Required(text(1, 64), 'Identifies the content; quotes name it as rules-version', SAMPLE.quoteId)
  version!: string;

  @Nullable(text(1, 200), 'Name chosen by the author', '2026-06')
  id!: string | null;

  @Nullable(instant, 'Start of validity; null if it has no start', SAMPLE.time)
  'valid-from'!: string | null;

  @Nullable(instant, 'End of validity; null if it has no end', SAMPLE.time)
  'valid-to'!: string | null;
}

export class AdoptionDto extends RulesVersionDto {
  @Required(instant, 'When the installation started to use it', SAMPLE.time)
  'adopted-at'!: string;
}

export class AdoptedRulesDto extends AdoptionDto {
  @Required(record, 'Every table with its rows, as in the configuration', {})
  tables!: object;
}

export class RulesHistoryDto {
  @RequiredObject(() => AdoptedRulesDto, 'The rules for new quotes')
  'in-force'!: AdoptedRulesDto;

  @RequiredObjects(
    () => AdoptionDto,
    'All versions in the order of their use, newest first; a version that was used twice appears twice',
  )
  history!: AdoptionDto[];
}

export class RulesVersionEnvelopeDto extends EnvelopeOf(
  'pricing-rules',
  () => AdoptedRulesDto,
  'The version with its tables',
) {}

export class RulesCheckRequestDto {
  @Required(record, 'The rules, in the format of PONTE_PRICING_RULES', {})
  rules!: object;
}

export class RuleViolationDto {
  @Required(text(0, 200), 'Table, row or field; empty for the whole document', 'iof[2].rate-ppm')
  path!: string;

  @Required(text(1, 500), 'What is wrong and what is accepted', 'must be a whole number from 0 to 999999')
  message!: string;
}

export class RulesCheckDto extends RulesVersionDto {
  @RequiredObjects(() => RuleViolationDto, 'Violations; empty if the rules are valid')
  violations!: RuleViolationDto[];
}

export class RulesCheckEnvelopeDto extends EnvelopeOf('check', () => RulesCheckDto, 'The result') {}

export class BacktestRequestDto extends RulesCheckRequestDto {
  @Required(wholeWithin(1, MAX_BACKTESTED), 'Number of most recent quotes to price again', 100)
  last!: number;

  @Optional(
    instant,
    'The time whose rules are used; if absent now, or the start of the proposed version if that is later',
    SAMPLE.time,
  )
  at?: string;
}

export const RULES_VERSION_EXAMPLE = exampleOf(RulesVersionDto, { 'valid-to': null });
export const ADOPTED_RULES_EXAMPLE: AdoptedRulesDto = {
  ...RULES_VERSION_EXAMPLE,
  'adopted-at': SAMPLE.time,
  tables: {
    spreads: [{ token: 'USDC', bps: 80, 'valid-from': SAMPLE.time, 'valid-to': null }],
    limits: [
      {
        ...{ conversion: 'fx', 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc', side: 'target' },
        ...{ minimum: '5.000000', maximum: '20000.000000', 'ceiling-usd': null },
        ...{ 'valid-from': SAMPLE.time, 'valid-to': null },
      },
      {
        ...{ conversion: 'fx', minimum: '10.00', maximum: '10000000.00', 'ceiling-usd': '50000.00' },
        ...{ 'valid-from': SAMPLE.time, 'valid-to': null },
      },
    ],
  },
};
const { tables: _, ...ADOPTION_EXAMPLE } = ADOPTED_RULES_EXAMPLE;
export const RULES_HISTORY_EXAMPLE: RulesHistoryDto = {
  'in-force': ADOPTED_RULES_EXAMPLE,
  history: [ADOPTION_EXAMPLE],
};
export const RULES_REQUEST_EXAMPLE: RulesCheckRequestDto = {
  rules: { version: { id: '2026-06', 'valid-from': SAMPLE.time, 'valid-to': null }, ...ADOPTED_RULES_EXAMPLE.tables },
};
export const RULES_CHECK_EXAMPLE: RulesCheckEnvelopeDto = {
  check: {
    ...{ version: SAMPLE.quoteId, id: null, 'valid-from': null, 'valid-to': null },
    violations: [{ path: 'spreads[0].bps', message: 'must be a whole number from 1 to 4999' }],
  },
};
export const BACKTEST_REQUEST_EXAMPLE: BacktestRequestDto = { ...RULES_REQUEST_EXAMPLE, last: 100 };
