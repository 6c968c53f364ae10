import { Rate, Refusal, Unavailable, assetOf, formatDecimal, fromIso, pick } from '@ponte/kernel';
import type { IssuedQuote, RateInput, RepricedQuote, RepricedTerms } from '@ponte/contracts';
import type { Market } from '../market/market.domain';
import { conversionOf } from '../price/conversion.domain';
import { priceQuote } from '../price/price-quote.domain';
import type { PricingRules, Dated } from '../rules/rules.domain';
import { current } from '../rules/in-force.domain';
import { storedMinor as minorOf } from '../price/stored-amount.domain';

const SECOND_MS = 1000;
const BPS = 10_000n;

/** Prices a quote by other rules, with the rates and at the time of the original quote. */
export function reprice(quote: IssuedQuote, rules: PricingRules): RepricedQuote {
  const old = termsOf(quote);
  const priced = pricedBy(quote, rules);
  const known = {
    ...pick(quote, 'quoteId', 'accountId', 'createdAt', 'sourceAsset', 'targetAsset', 'givenSide'),
    rulesVersion: quote.inputs.rulesVersion ?? '',
    old,
  };
  if ('refusal' in priced)
    return { ...known, ...priced, proposed: null, changed: true, difference: null, differenceBps: null };
  const changed = Object.entries(priced).some(([name, value]) => old[name as keyof RepricedTerms] !== value);
  return {
    ...known,
    proposed: priced,
    refusal: null,
    refusalMessage: null,
    changed,
    ...differenceOf(quote, old, priced),
  };
}

const termsOf = (quote: IssuedQuote): RepricedTerms => ({
  sourceAmount: quote.sourceAmount,
  targetAmount: quote.targetAmount,
  spread: quote.pricing.spread.amount,
  fee: quote.pricing.fee.amount,
  iof: quote.pricing.iof.amount,
  vet: quote.vet.amount,
  validitySeconds: (fromIso(quote.expiresAt) - fromIso(quote.createdAt)) / SECOND_MS,
});

type Refused = { readonly [N in 'refusal' | 'refusalMessage']: string };

/** The new terms, or the code of the refusal with the message for each field. */
function pricedBy(quote: IssuedQuote, rules: PricingRules): RepricedTerms | Refused {
  const { quoteId, accountId, scope, sourceAsset, targetAsset, givenSide, tradeReason, rateLock } = quote;
  const given = quote.inputs.givenAmount;
  const request = {
    ...{ quoteId, accountId, scope, sourceAsset, targetAsset, tradeReason, rateLock },
    sourceAmount: givenSide === 'source' ? given : null,
    targetAmount: givenSide === 'target' ? given : null,
  };
  // The account had the capabilities that it needed when the quote was issued; only the rules are compared.
  const account = {
    status: 'active' as const,
    capabilities: [tradeReason, `rate-lock-${rateLock}`].filter((one) => one !== null),
  };
  const facts = { rules, market: marketOf(quote), account, now: fromIso(quote.createdAt), isOrderable: () => true };
  try {
    return termsOf(priceQuote(request, facts));
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.code, refusalMessage: messageOf(error) };
    if (error instanceof Unavailable) return { refusal: error.code, refusalMessage: error.message };
    throw error;
  }
}

const messageOf = ({ violations }: Refusal): string =>
  violations.map(({ path, message }) => `${path}: ${message}`).join('; ');

/** The market data that was known when the quote was issued. */
function marketOf({ inputs, sourceAsset, targetAsset, createdAt }: IssuedQuote): Market {
  const share = conversionOf(sourceAsset, targetAsset)?.form === 'share';
  const rateOf = (of: RateInput['of'], base: string) => {
    const found = inputs.rates.find((one) => one.of === of);
    return (
      found && {
        rate: Rate.parse(base, 'BRL', found.rate),
        // Older quotes recorded only the rate of a reference.
        observedAt: fromIso(found.observedAt ?? createdAt),
        source: found.source,
      }
    );
  };
  // Null, as when the quote was issued, if the reference had a source and no value. Otherwise it had no source.
  const reference = inputs.referenceMissing ? null : rateOf('reference', 'USD');
  return {
    ...(share ? { sharePrice: rateOf('share-price', 'wBRLY') } : { usdBrl: rateOf('usd-brl', 'USD') }),
    ...(reference === undefined ? {} : { reference }),
    ...(inputs.offMarketSet === null ? {} : { offMarket: inputs.offMarketSet }),
  };
}

/** The change of the amount that the request did not give. */
function differenceOf({ givenSide, sourceAsset, targetAsset }: IssuedQuote, old: RepricedTerms, priced: RepricedTerms) {
  const [member, asset] =
    givenSide === 'source' ? (['targetAmount', targetAsset] as const) : (['sourceAmount', sourceAsset] as const);
  const scale = assetOf(asset).scale;
  const [before, after] = [minorOf(old[member], scale), minorOf(priced[member], scale)];
  return { difference: formatDecimal(after - before, scale), differenceBps: Number(((after - before) * BPS) / before) };
}

/**
 * The rows that are in force at a moment, made valid at any time, so that quotes of other times can be priced by them.
 */
export function rulesOfMoment(rules: PricingRules, at: number): PricingRules {
  const always = <T extends Dated>(rows: readonly T[]): T[] =>
    rows.flatMap((row) => (current(row, at) ? [{ ...row, validFrom: 0, validTo: Infinity }] : []));
  const { spreads, fees, iof, limits, validity, rateLocks, pegs, market } = rules;
  return {
    ...rules,
    validFrom: current(rules, at) ? 0 : Infinity,
    validTo: Infinity,
    spreads: always(spreads),
    fees: always(fees),
    iof: always(iof),
    limits: always(limits),
    validity: always(validity),
    rateLocks: always(rateLocks),
    pegs: always(pegs),
    market: always(market),
  };
}
