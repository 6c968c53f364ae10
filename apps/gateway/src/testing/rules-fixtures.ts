import type { AdoptedRules, BacktestReport, RepricedTerms } from '@ponte/contracts';
import { BacktestPricingRules, CheckPricingRules, GetPricingRules, GetRulesVersion } from '@ponte/contracts';
import { SAMPLE } from '../api/samples';
import type { StubBus } from './stub-bus';

const ADOPTED: AdoptedRules = {
  ...{ version: SAMPLE.quoteId, id: '2026-06', validFrom: SAMPLE.time, validTo: null, adoptedAt: SAMPLE.time },
  tables: { spreads: [{ token: 'USDC', bps: 80, 'valid-from': SAMPLE.time, 'valid-to': null }] },
};
const OLD: RepricedTerms = {
  ...{ sourceAmount: '1000.00', targetAmount: '185.364712', spread: '7.93', fee: '2.00', iof: '0.00' },
  ...{ vet: '5.3947700682', validitySeconds: 60 },
};
const TOTALS = { source: '1000.00', target: '185.364712', spread: '7.93', fee: '2.00', iof: '0.00' };
const PAIR = { sourceAsset: 'fiat/brl', targetAsset: 'eth-base/usdc' } as const;
const ITEM = {
  ...{
    quoteId: SAMPLE.quoteId,
    accountId: SAMPLE.accountId,
    createdAt: SAMPLE.time,
    ...PAIR,
    givenSide: 'source' as const,
  },
  ...{ rulesVersion: SAMPLE.quoteId, old: OLD },
};

const REPORT: BacktestReport = {
  ...{ proposed: ADOPTED, at: SAMPLE.time, quotes: 2, changed: 2, refused: 1 },
  pairs: [{ ...PAIR, quotes: 2, changed: 2, refused: 1, old: TOTALS, proposed: TOTALS }],
  largest: { quoteId: SAMPLE.quoteId, difference: '-1.458474', differenceBps: -78 },
  items: [
    {
      ...ITEM,
      proposed: OLD,
      refusal: null,
      refusalMessage: null,
      changed: true,
      difference: '-1.458474',
      differenceBps: -78,
    },
    {
      ...{ ...ITEM, proposed: null, refusal: 'amount-above-maximum', changed: true },
      ...{
        refusalMessage: 'source-amount: the amount is above the maximum of 999.99 BRL',
        difference: null,
        differenceBps: null,
      },
    },
  ],
};

/** Answers with one version of the rules, and a violation for any proposed rules. */
export function answerRules(bus: StubBus): void {
  bus.on(GetPricingRules, () => ({ inForce: ADOPTED, history: [ADOPTED] }));
  bus.on(GetRulesVersion, ({ version }) => (version === SAMPLE.quoteId ? ADOPTED : null));
  bus.on(CheckPricingRules, () => ({
    ...{ version: SAMPLE.quoteId, id: null, validFrom: null, validTo: null },
    violations: [{ path: 'spreads[0].bps', message: 'must be a whole number from 1 to 4999' }],
  }));
  bus.on(BacktestPricingRules, () => REPORT);
}
