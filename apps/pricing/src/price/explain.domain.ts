import { formatDecimal } from '@ponte/kernel';
import type { IssuedQuote, QuoteStep } from '@ponte/contracts';
import type { Conversion } from './conversion.domain';
import { conversionOf } from './conversion.domain';
import { storedMinor as minor } from './stored-amount.domain';

const BRL_SCALE = 2;
const RATE_SCALE = 10;

interface Figures {
  readonly brl: bigint;
  readonly token: bigint;
  readonly fee: bigint;
  readonly iof: bigint;
  readonly spread: bigint;
  readonly rate: bigint;
}

/** The steps from the inputs of a quote to its amounts, in the order of the pricing rules, with exact values. */
export function explain(quote: IssuedQuote): readonly QuoteStep[] {
  const conversion = conversionOf(quote.sourceAsset, quote.targetAsset);
  if (conversion === undefined) throw new TypeError('the pair of the quote has no price');
  const figures = figuresOf(quote, conversion);
  const vet = step('VET', conversion.direction === 'buy' ? 'floor10(S/T)' : 'floor10(N/U)', quote.vet.amount);
  return [...rateSteps(quote, conversion), ...amountSteps(quote, conversion, figures), vet];
}

const step = (name: string, formula: string, value: string): QuoteStep => ({ name, formula, value });
const brl = (value: bigint): string => formatDecimal(value, BRL_SCALE);

function figuresOf(quote: IssuedQuote, { direction, scale }: Conversion): Figures {
  const { fee, iof, spread, baseRate } = quote.pricing;
  const [brlText, tokenText] =
    direction === 'buy' ? [quote.sourceAmount, quote.targetAmount] : [quote.targetAmount, quote.sourceAmount];
  return {
    brl: minor(brlText, BRL_SCALE),
    token: minor(tokenText, scale),
    rate: minor(baseRate.amount, RATE_SCALE),
    fee: minor(fee.amount, BRL_SCALE),
    iof: minor(iof.amount, BRL_SCALE),
    spread: minor(spread.amount, BRL_SCALE),
  };
}

function rateSteps({ pricing }: IssuedQuote, { form }: Conversion): QuoteStep[] {
  const formula = { fx: 'floor10(usd-brl * peg)', share: 'share-price', par: '1' }[form];
  return [
    step('R', formula, pricing.baseRate.amount),
    ...(form === 'fx'
      ? [step('s', '(spread bps + premium bps) / 10000', formatDecimal(BigInt(pricing.spread.bps), 4))]
      : []),
  ];
}

function amountSteps(quote: IssuedQuote, conversion: Conversion, figures: Figures): QuoteStep[] {
  switch (conversion.form) {
    case 'fx':
      return fxSteps(quote, conversion, figures);
    case 'par':
      return sameCurrencySteps(quote, conversion, 'floor2(T)', 'BRL');
    case 'share':
      return sameCurrencySteps(quote, conversion, 'floor2(T * R)', 'floor18(BRL / R)');
  }
}

/**
 * The steps of a conversion without spread, fee or IOF. `amount` is the formula for BRL from tokens, `token` the
 * formula for tokens from BRL.
 */
function sameCurrencySteps(
  { givenSide, sourceAmount, targetAmount }: IssuedQuote,
  { direction, form }: Conversion,
  amount: string,
  token: string,
): QuoteStep[] {
  const buying = direction === 'buy';
  const [brlText, tokenText] = buying ? [sourceAmount, targetAmount] : [targetAmount, sourceAmount];
  const givenBrl = (givenSide === 'source') === buying;
  const keepsTokens = form === 'share' && !buying && !givenBrl;
  return [
    step('BRL', givenBrl ? 'given, floor2' : amount.replace('T', 'given'), brlText),
    step('tokens', keepsTokens ? 'given, floor18' : token, tokenText),
  ];
}

function fxSteps(quote: IssuedQuote, conversion: Conversion, figures: Figures): QuoteStep[] {
  const { fee, iof, spread } = figures;
  const charges = [step('f', 'fee', brl(fee))];
  const ways = { buy: { source: buySource, target: buyTarget }, sell: { source: sellSource, target: sellTarget } };
  return [
    ...charges,
    ...ways[conversion.direction][quote.givenSide](quote, figures, {
      iof: brl(iof),
      spread: brl(spread),
      value: exactValue(conversion, figures),
    }),
  ];
}

interface Texts {
  readonly iof: string;
  readonly spread: string;
  /** The value of the tokens at the base rate, exact. */
  readonly value: string;
}

const exactValue = ({ scale }: Conversion, { token, rate }: Figures): string =>
  formatDecimal(token * rate, scale + RATE_SCALE);

const buySource = (quote: IssuedQuote, { brl: paid, fee, iof, spread }: Figures, texts: Texts): QuoteStep[] => [
  step('S', 'given, floor2', quote.sourceAmount),
  step('A', 'S - f', brl(paid - fee)),
  step('iof', 'ceil2(A * i / (1 + i))', texts.iof),
  step('B', 'A - iof', brl(paid - fee - iof)),
  step('spread', 'ceil2(B * s / (1 + s))', texts.spread),
  step('M', 'B - spread', brl(paid - fee - iof - spread)),
  step('T', 'floor6(M / R)', quote.targetAmount),
];

const buyTarget = (quote: IssuedQuote, _: Figures, texts: Texts): QuoteStep[] => [
  step('T', 'given, floor6', quote.targetAmount),
  step('m', 'T * R', texts.value),
  step('spread', 'ceil2(m * s)', texts.spread),
  step('iof', 'ceil2((m + spread) * i)', texts.iof),
  step('S', 'floor2(m + spread + iof + f)', quote.sourceAmount),
];

const sellSource = (quote: IssuedQuote, { brl: paid, fee, iof }: Figures, texts: Texts): QuoteStep[] => [
  step('U', 'given, floor6', quote.sourceAmount),
  step('m', 'U * R', texts.value),
  step('b', 'floor2(m * (1 - s))', brl(paid + fee + iof)),
  step('spread', 'floor2(m) - b', texts.spread),
  step('iof', 'ceil2(b * i)', texts.iof),
  step('N', 'b - iof - f', quote.targetAmount),
];

const sellTarget = (quote: IssuedQuote, { brl: paid, fee, iof, spread }: Figures, texts: Texts): QuoteStep[] => [
  step('N', 'given, floor2', quote.targetAmount),
  step('B', 'N + f', brl(paid + fee)),
  step('b', 'ceil2(B / (1 - i))', brl(paid + fee + iof)),
  step('iof', 'b - B', texts.iof),
  step('spread', 'ceil2(b * s / (1 - s))', texts.spread),
  step('G', 'b + spread', brl(paid + fee + iof + spread)),
  step('U', 'floor6(G / R)', quote.sourceAmount),
];
