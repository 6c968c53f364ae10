import { quoteMachine } from '@ponte/contracts';
import { MAX_AMOUNT_LENGTH } from '@ponte/kernel';
import { QuoteDto } from './quote.dto';
import { decimal, flag, instant, oneOf, record, text, whole } from '../../validation/field-types';
import { Nullable, Optional, OptionalObject, Required, RequiredObject, RequiredObjects } from '../../validation/fields';
import { SAMPLE } from '../samples';

export class ExplainQuery {
  @Optional(oneOf(['true', 'false']), 'Whether to include inputs, steps and rules with a signature', 'true')
  explain?: 'true' | 'false';
}

export class RateReadingDto {
  @Required(text(1, 100), 'Name of the source', 'bank-a')
  source!: string;

  @Required(decimal, 'Rate of the source', '5.3412000000')
  rate!: string;

  @Required(instant, 'When the source published it', SAMPLE.time)
  'observed-at'!: string;

  @Required(whole, 'Weight in the median', 1)
  weight!: number;

  @Nullable(whole, 'Spread between bid and ask in basis points; null if the source gives only one rate', 3)
  'spread-bps'!: number | null;

  @Required(oneOf(['used', 'stale', 'wide', 'outlier']), 'Whether the source was used for the rate, or why not', 'used')
  verdict!: string;
}

export class RateInputDto {
  @Required(oneOf(['usd-brl', 'reference', 'share-price']), 'Type of rate', 'usd-brl')
  of!: string;

  @Required(decimal, 'BRL for one unit', '5.3412000000')
  rate!: string;

  @Required(text(1, 100), 'Name of the source; median if several were combined', 'median')
  source!: string;

  @Nullable(instant, 'When the source published it; null if it gives no time', SAMPLE.time)
  'observed-at'!: string | null;

  @Nullable(
    text(1, 78),
    'Number of the block at which the vault was read; null for a rate that is not read from a chain',
    null,
  )
  'block-number'!: string | null;

  @RequiredObjects(() => RateReadingDto, 'Rates of the sources if several were combined; empty for a single source')
  readings!: RateReadingDto[];
}

export class QuoteStepDto {
  @Required(text(1, 20), 'Name used in the formulas', 'T')
  name!: string;

  @Required(text(1, 100), 'floor2 rounds down to 2 decimals, ceil2 up', 'floor6(M / R)')
  formula!: string;

  @Required(decimal, 'Exact value', '185.364712')
  value!: string;
}

export class RuleRowDto {
  @Required(text(1, 40), 'Table of the rules', 'spreads')
  table!: string;

  @Required(whole, 'Position in the table, from 0', 0)
  row!: number;

  @Required(record, 'The row with its validity', {
    token: 'USDC',
    bps: 80,
    'valid-from': SAMPLE.time,
    'valid-to': null,
  })
  values!: object;
}

/** All inputs and steps from which the amounts of a quote were computed. */
export class ExplanationDto {
  @Required(oneOf(['source', 'target']), 'The amount that the quote was requested with', 'source')
  'given-side'!: string;

  @Required(text(1, MAX_AMOUNT_LENGTH), 'The requested amount as received', '1000.00')
  'given-amount'!: string;

  @RequiredObjects(() => RateInputDto, 'Rates with their sources')
  rates!: RateInputDto[];

  @Nullable(flag, 'Value of off-market-pricing set in the sandbox; null if it was computed', false)
  'off-market-set'!: boolean | null;

  @Required(flag, 'Whether the reference rate was missing, which makes the quote off-market', false)
  'reference-missing'!: boolean;

  @RequiredObjects(() => QuoteStepDto, 'The formula, step by step')
  steps!: QuoteStepDto[];

  @Nullable(
    text(1, 64),
    'Identifies the content of all rule tables; null if the quote is older than the recording of inputs',
    SAMPLE.quoteId,
  )
  'rules-version'!: string | null;

  @RequiredObjects(() => RuleRowDto, 'The rows that were used')
  rules!: RuleRowDto[];
}

export class QuoteEnvelopeDto {
  @RequiredObject(() => QuoteDto, 'The quote as issued')
  quote!: QuoteDto;

  @Required(oneOf(Object.keys(quoteMachine)), 'Current state of the quote', 'open')
  state!: string;

  @OptionalObject(() => ExplanationDto, 'The explanation, with explain=true')
  explanation?: ExplanationDto;

  @Optional(
    text(1, 100_000),
    'With explain=true: a JWS in compact form whose payload has quote and explanation; keys are at ' +
      '/.well-known/jwks.json. Staff get no signature if the installation has no signing key',
  )
  jws?: string;
}
