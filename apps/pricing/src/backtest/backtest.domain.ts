import type { AssetId } from '@ponte/kernel';
import { assetOf, formatDecimal, isoTime } from '@ponte/kernel';
import type {
  BacktestReport,
  ChargeTotals,
  IssuedQuote,
  PairTotals,
  RepricedQuote,
  RepricedTerms,
} from '@ponte/contracts';
import { rulesOfMoment, reprice } from './reprice.domain';
import type { PricingRules } from '../rules/rules.domain';
import { versionOf } from '../rules/configured-rules.domain';
import { storedMinor as minorOf } from '../price/stored-amount.domain';

/** Prices quotes (newest first) again by the proposed rows that are in force at `at` (epoch milliseconds). */
export function backtest(quotes: readonly IssuedQuote[], proposed: PricingRules, at: number): BacktestReport {
  const rules = rulesOfMoment(proposed, at);
  const items = quotes.map((quote) => reprice(quote, rules));
  return {
    proposed: versionOf(proposed),
    at: isoTime(at),
    quotes: items.length,
    changed: items.filter(({ changed }) => changed).length,
    refused: items.filter(({ refusal }) => refusal !== null).length,
    pairs: pairsOf(items).map((ofPair) => totalsOf(ofPair)),
    largest: largestOf(items),
    items,
  };
}

function pairsOf(items: readonly RepricedQuote[]): readonly (readonly [RepricedQuote, ...RepricedQuote[]])[] {
  const pairs = new Map<string, [RepricedQuote, ...RepricedQuote[]]>();
  for (const item of items) {
    const key = `${item.sourceAsset} ${item.targetAsset}`;
    const known = pairs.get(key);
    if (known) known.push(item);
    else pairs.set(key, [item]);
  }
  return [...pairs.values()];
}

function totalsOf(items: readonly [RepricedQuote, ...RepricedQuote[]]): PairTotals {
  const { sourceAsset, targetAsset } = items[0];
  const priced = items.flatMap(({ old, proposed }) => (proposed === null ? [] : [{ old, proposed }]));
  return {
    sourceAsset,
    targetAsset,
    quotes: items.length,
    changed: items.filter(({ changed }) => changed).length,
    refused: items.length - priced.length,
    old: sumsOf(
      priced.map(({ old }) => old),
      sourceAsset,
      targetAsset,
    ),
    proposed: sumsOf(
      priced.map(({ proposed }) => proposed),
      sourceAsset,
      targetAsset,
    ),
  };
}

function sumsOf(terms: readonly RepricedTerms[], source: AssetId, target: AssetId): ChargeTotals {
  const sum = (member: 'sourceAmount' | 'targetAmount' | 'spread' | 'fee' | 'iof', asset: AssetId): string => {
    const { scale } = assetOf(asset);
    return formatDecimal(
      terms.reduce((total, one) => total + minorOf(one[member], scale), 0n),
      scale,
    );
  };
  const brl = (member: 'spread' | 'fee' | 'iof') => sum(member, 'fiat/brl');
  return {
    source: sum('sourceAmount', source),
    target: sum('targetAmount', target),
    spread: brl('spread'),
    fee: brl('fee'),
    iof: brl('iof'),
  };
}

function largestOf(items: readonly RepricedQuote[]): BacktestReport['largest'] {
  let largest: BacktestReport['largest'] = null;
  for (const { quoteId, difference, differenceBps } of items) {
    if (difference === null || differenceBps === null || Number(difference) === 0) continue;
    if (largest === null || Math.abs(differenceBps) > Math.abs(largest.differenceBps)) {
      largest = { quoteId, difference, differenceBps };
    }
  }
  return largest;
}
