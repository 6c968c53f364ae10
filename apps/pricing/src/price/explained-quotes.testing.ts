import type { AssetId } from '@ponte/kernel';
import { Rate, Refusal } from '@ponte/kernel';
import type { IssuedQuote } from '@ponte/contracts';
import defaultRules from '../default-rules.json';
import { readRules } from '../rules/read-rules.domain';
import { priceQuote } from './price-quote.domain';

const NOON = Date.UTC(2026, 4, 13, 14);

/** The default rules with an IOF for every FX conversion and with pegs other than one dollar. */
const rules = readRules({
  ...defaultRules,
  iof: [
    {
      conversion: 'fx',
      'trade-reason': null,
      direction: 'buy',
      'rate-ppm': 35000,
      applicable: true,
      'basis-ref': 'test',
      'valid-from': '2020-01-01T00:00:00.000Z',
      'valid-to': null,
    },
    {
      conversion: 'fx',
      'trade-reason': null,
      direction: 'sell',
      'rate-ppm': 3800,
      applicable: true,
      'basis-ref': 'test',
      'valid-from': '2020-01-01T00:00:00.000Z',
      'valid-to': null,
    },
    ...defaultRules.iof,
  ],
  pegs: defaultRules.pegs.map((peg) => ({ ...peg, usd: '0.9987654321' })),
});

/** A quote at the given rate of the dollar (1e10 units per BRL). Undefined if the amounts are refused. */
export function quoteOf(
  source: AssetId,
  target: AssetId,
  side: 'source' | 'target',
  amount: string,
  rate: bigint,
  rateLock: string | null,
): IssuedQuote | undefined {
  const request = {
    quoteId: 'q',
    accountId: 'a',
    scope: 'account' as const,
    sourceAsset: source,
    targetAsset: target,
    tradeReason: 'transfer-between-same-entity-accounts' as const,
  };
  const market = {
    usdBrl: { rate: Rate.of('USD', 'BRL', rate), observedAt: NOON, source: 'bank-a' },
    sharePrice: { rate: Rate.of('wBRLY', 'BRL', rate / 5n), observedAt: NOON, source: 'vault' },
  };
  try {
    return priceQuote(
      {
        ...request,
        sourceAmount: side === 'source' ? amount : null,
        targetAmount: side === 'target' ? amount : null,
        rateLock,
      },
      {
        rules,
        market,
        now: NOON,
        isOrderable: () => true,
        account: { status: 'active', capabilities: ['rate-lock-5m', 'rate-lock-24h'] },
      },
    );
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
