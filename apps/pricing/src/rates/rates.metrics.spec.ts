import { Rate } from '@ponte/kernel';
import { Metrics } from '@ponte/observability';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { readRules } from '../rules/read-rules.domain';
import { measureRates } from './rates.metrics';

const FRIDAY = Date.UTC(2026, 4, 15, 21);

it('The metric of an unusable share price is 1 from two days after the last price', async () => {
  let now = FRIDAY;
  const market: Market = { sharePrice: { rate: Rate.parse('wBRLY', 'BRL', '1.05'), observedAt: FRIDAY } };
  const metrics = new Metrics();
  measureRates(metrics, {
    rates: { market: () => market },
    rules: readRules(defaultRules),
    clock: { now: () => now },
  });
  const measured = async () =>
    (await metrics.registry.getSingleMetric('ponte_share_price_unusable')?.get())?.values.map(({ value }) => value);
  expect(await measured()).toEqual([0]);
  now += 2 * 86_400_000 + 1;
  expect(await measured()).toEqual([1]);
});
