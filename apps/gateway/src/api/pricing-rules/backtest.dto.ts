import { asset, decimal, flag, instant, oneOf, signedDecimal, text, uuid, whole } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { Nullable, NullableObject, Required, RequiredObject, RequiredObjects } from '../../validation/fields';
import { SAMPLE } from '../samples';
import { RULES_VERSION_EXAMPLE, RulesVersionDto } from './rules.dto';

/** The terms of a quote, as priced by one version of the rules. */
export class RepricedTermsDto {
  @Required(decimal, 'Amount in the source asset', '1000.00')
  'source-amount'!: string;

  @Required(decimal, 'Amount in the target asset', '185.364712')
  'target-amount'!: string;

  @Required(decimal, 'Spread in BRL', '7.93')
  spread!: string;

  @Required(decimal, 'Fee in BRL', '2.00')
  fee!: string;

  @Required(decimal, 'IOF tax in BRL', '0.00')
  iof!: string;

  @Required(decimal, 'All-in rate', '5.3947700682')
  vet!: string;

  @Required(whole, 'Validity of the quote, in seconds', 60)
  'validity-seconds'!: number;
}

export class RepricedQuoteDto {
  @Required(uuid, 'Id of the quote', SAMPLE.quoteId)
  'quote-id'!: string;

  @Required(uuid, 'The account of the quote', SAMPLE.accountId)
  'account-id'!: string;

  @Required(instant, 'When it was issued', SAMPLE.time)
  'created-at'!: string;

  @Required(asset, 'Source asset', 'fiat/brl')
  'source-asset'!: string;

  @Required(asset, 'Target asset', 'eth-base/usdc')
  'target-asset'!: string;

  @Required(oneOf(['source', 'target']), 'The amount that the quote was requested with', 'source')
  'given-side'!: string;

  @Required(text(1, 64), 'Version of the rules that were used to issue it', SAMPLE.quoteId)
  'rules-version'!: string;

  @RequiredObject(() => RepricedTermsDto, 'The terms as issued')
  old!: RepricedTermsDto;

  @NullableObject(() => RepricedTermsDto, 'Under the proposed rules; null if they refuse it')
  proposed!: RepricedTermsDto | null;

  @Nullable(text(1, 60), 'Code of the refusal by the proposed rules', 'amount-above-maximum')
  refusal!: string | null;

  @Nullable(
    text(1, 500),
    'Which fields the proposed rules refuse and what they accept, such as the limit that applies',
    'source-amount: the amount is above the maximum of 999.99 BRL',
  )
  'refusal-message'!: string | null;

  @Required(flag, 'Whether any amount, charge or the validity differs', true)
  changed!: boolean;

  @Nullable(signedDecimal, 'Change of the computed amount, in its asset', '-1.458474')
  difference!: string | null;

  @Nullable(whole, 'Change in basis points of the old amount, rounded towards zero', -78)
  'difference-bps'!: number | null;
}

/** Totals over the quotes of a pair that the proposed rules can price. */
export class ChargeTotalsDto {
  @Required(decimal, 'Total amount in the source asset', '1000.00')
  source!: string;

  @Required(decimal, 'Total amount in the target asset', '185.364712')
  target!: string;

  @Required(decimal, 'Total spread in BRL', '7.93')
  spread!: string;

  @Required(decimal, 'Total fee in BRL', '2.00')
  fee!: string;

  @Required(decimal, 'Total IOF tax in BRL', '0.00')
  iof!: string;
}

export class PairTotalsDto {
  @Required(asset, 'Source asset', 'fiat/brl')
  'source-asset'!: string;

  @Required(asset, 'Target asset', 'eth-base/usdc')
  'target-asset'!: string;

  @Required(whole, 'Number of quotes of the pair', 1)
  quotes!: number;

  @Required(whole, 'Number of quotes that change or are refused', 1)
  changed!: number;

  @Required(whole, 'Number of quotes that are refused; the totals do not include them', 0)
  refused!: number;

  @RequiredObject(() => ChargeTotalsDto, 'As issued')
  old!: ChargeTotalsDto;

  @RequiredObject(() => ChargeTotalsDto, 'Under the proposed rules')
  proposed!: ChargeTotalsDto;
}

export class LargestDifferenceDto {
  @Required(uuid, 'Id of the quote', SAMPLE.quoteId)
  'quote-id'!: string;

  @Required(signedDecimal, 'Change of the computed amount', '-1.458474')
  difference!: string;

  @Required(whole, 'Change in basis points', -78)
  'difference-bps'!: number;
}

export class BacktestDto {
  @RequiredObject(() => RulesVersionDto, 'The proposed rules')
  proposed!: RulesVersionDto;

  @Required(instant, 'The time whose rules were used', SAMPLE.time)
  at!: string;

  @Required(whole, 'Quotes that were priced again', 1)
  quotes!: number;

  @Required(whole, 'Number of quotes that change or are refused', 1)
  changed!: number;

  @Required(whole, 'Number of quotes that are refused', 0)
  refused!: number;

  @RequiredObjects(() => PairTotalsDto, 'Totals of each pair')
  pairs!: PairTotalsDto[];

  @NullableObject(() => LargestDifferenceDto, 'The quote that changes most in basis points; null if no amount changes')
  largest!: LargestDifferenceDto | null;

  @RequiredObjects(() => RepricedQuoteDto, 'Newest first')
  items!: RepricedQuoteDto[];
}

export class BacktestEnvelopeDto extends EnvelopeOf('backtest', () => BacktestDto, 'The comparison') {}

const OLD: RepricedTermsDto = {
  ...{ 'source-amount': '1000.00', 'target-amount': '185.364712', spread: '7.93', fee: '2.00', iof: '0.00' },
  ...{ vet: '5.3947700682', 'validity-seconds': 60 },
};
const NEW: RepricedTermsDto = { ...OLD, 'target-amount': '183.906238', spread: '15.72', vet: '5.4375534646' };
const totals = ({
  'source-amount': source,
  'target-amount': target,
  spread,
  fee,
  iof,
}: RepricedTermsDto): ChargeTotalsDto => ({
  ...{ source, target, spread, fee, iof },
});
const PAIR = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc' };
const DIFFERENCE = { difference: '-1.458474', 'difference-bps': -78 };

export const BACKTEST_EXAMPLE: BacktestEnvelopeDto = {
  backtest: {
    ...{ proposed: RULES_VERSION_EXAMPLE, at: SAMPLE.time, quotes: 1, changed: 1, refused: 0 },
    pairs: [{ ...PAIR, quotes: 1, changed: 1, refused: 0, old: totals(OLD), proposed: totals(NEW) }],
    largest: { 'quote-id': SAMPLE.quoteId, ...DIFFERENCE },
    items: [
      {
        ...{ 'quote-id': SAMPLE.quoteId, 'account-id': SAMPLE.accountId, 'created-at': SAMPLE.time, ...PAIR },
        ...{ 'given-side': 'source', 'rules-version': SAMPLE.quoteId, old: OLD, proposed: NEW, refusal: null },
        ...{ 'refusal-message': null, changed: true, ...DIFFERENCE },
      },
    ],
  },
};
