import pino from 'pino';
import { createTimers } from '@ponte/concurrency';
import { Unavailable } from '@ponte/kernel';
import { Metrics, openTracing, readTracing } from '@ponte/observability';
import { eventually } from '@ponte/testing';
import defaultRules from '../default-rules.json';
import type { Market } from '../market/market.domain';
import { BRL } from '../price/conversion.domain';
import { priceQuote } from '../price/price-quote.domain';
import { asking, facts, fx } from '../quote/quote-requests.testing';
import { readRules } from '../rules/read-rules.domain';
import { FeedUnderTest, NOON, rated } from '../testing/feed-under-test';
import { parseJsonPath } from './json-path';
import { PolledRates } from './polled.rates.adapter';

const rules = readRules({
  ...defaultRules,
  market: defaultRules.market.map((row) => ({ ...row, 'unusable-deviation-bps': 1_000 })),
});

const quoteBy = (market: Market) =>
  priceQuote(asking(BRL, 'eth-base/usdc', { sourceAmount: '1000', ...fx }), { ...facts, rules, market });

describe('a reference that repeats the answer of another month', () => {
  let reference: FeedUnderTest;
  const running = new AbortController();

  beforeAll(async () => {
    reference = await FeedUnderTest.start();
  });
  afterAll(() => reference.stop());

  it.each([
    ['confirms no rate if its answers have a time', { timePath: parseJsonPath('at') }, false],
    ['counts as new without a time path', {}, true],
  ])('%s', async (_, options, isQuoted) => {
    const feed = reference.feed(options);
    const rates = new PolledRates({ reference: feed });
    reference.behave = rated('5.34', NOON - 30 * 86_400_000);
    await feed.poll(running.signal);
    const quote = () => quoteBy({ ...facts.market, reference: rates.market(NOON).reference });
    if (isQuoted) expect(quote().offMarketPricing).toBe(false);
    else expect(quote).toThrow(Unavailable);
  });
});

describe('pricing that has just started, with a wrong rate and a reference that answers later', () => {
  let usdBrl: FeedUnderTest;
  let reference: FeedUnderTest;
  const logger = pino({ level: 'silent' });
  const timers = createTimers(logger);

  beforeAll(async () => {
    [usdBrl, reference] = await Promise.all([FeedUnderTest.start(), FeedUnderTest.start()]);
  });
  afterAll(async () => {
    await timers.stop();
    await Promise.all([usdBrl.stop(), reference.stop()]);
  });

  it('quotes nothing before, nothing when the reference shows that the rate is wrong, and then a right rate', async () => {
    const rates = new PolledRates({ usdBrl: usdBrl.feed(), reference: reference.feed() });
    const quote = () => quoteBy(rates.market(NOON));
    usdBrl.behave = rated('2.00');
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      reference.behave = (response) => {
        answer = () => rated('5.34')(response);
        resolve();
      };
    });
    const metrics = new Metrics();
    const tracing = await openTracing(readTracing({}), {
      name: 'pricing',
      environment: 'sandbox',
      metrics,
      logger: () => logger,
    });
    rates.start(timers, 10, { logger, tracing, metrics, clock: { now: () => NOON } });
    timers.start();
    await asked;
    await eventually(() => expect(rates.market(NOON).usdBrl).toBeDefined());
    expect(quote).toThrow(Unavailable);
    answer();
    await eventually(() => expect(rates.market(NOON).reference).toBeTruthy());
    expect(quote).toThrow(Unavailable);
    reference.behave = rated('5.34');
    usdBrl.behave = rated('5.35');
    await eventually(() => expect(quote().pricing.baseRate.amount).toBe('5.3500000000'));
    await tracing.stop();
  });
});
