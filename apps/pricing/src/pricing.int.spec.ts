import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pino from 'pino';
import type { AccountRecord, RequestQuotePayload } from '@ponte/contracts';
import {
  AdvanceClock,
  CheckQuoteFor,
  ExplainQuote,
  GetAccount,
  GetLimits,
  GetPairs,
  GetQuote,
  GetSharePrice,
  NO_CHARGES,
  ORDERABLE_PAIRS,
  OrderPlaced,
  PAIRS,
  PriceQuote,
  RequestQuote,
  SetSandboxPricing,
} from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { causedBy, NO_STREAM, toAppend } from '@ponte/event-sourcing';
import { derivedId, Unavailable } from '@ponte/kernel';
import type { Engines, Environment, Policies } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines, policiesOf, readRuntime } from '@ponte/nest';
import { eventually, temporaryFolder } from '@ponte/testing';
import { PRICING_SETTINGS, readPricingConfig } from './pricing.config';
import type { QuotedPairs } from './quote/quoted-pairs.port';
import { QUOTED_PAIRS } from './quote/quoted-pairs.port';
import { PricingModule } from './pricing.module';

/** A Wednesday, 11:00 in São Paulo. */
const NOON = Date.UTC(2026, 4, 13, 14);
const folder = temporaryFolder();
const time = { now: NOON };
const accounts = new Map<string, AccountRecord>();
let engines: Engines;
let app: INestMicroservice;
let ids = 0;

const fresh = () => derivedId('test', String((ids += 1)));
const context = (commandId = fresh()): RequestContext => ({ commandId, correlationId: commandId, actor: 'ak_test_1' });
const account = (accountId: string, more: Partial<AccountRecord> = {}) =>
  accounts.set(accountId, {
    accountId,
    parentId: null,
    alias: accountId,
    status: 'active',
    externalId: null,
    onboardingMode: 'kyc',
    capabilities: [],
    taxIdFingerprint: 'f',
    createdAt: '2026-01-01T00:00:00.000Z',
    ...more,
  });
const asking = (more: Partial<RequestQuotePayload> = {}): RequestQuotePayload => ({
  quoteId: fresh(),
  accountId: 'partner',
  scope: 'account',
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: null,
  tradeReason: null,
  rateLock: null,
  ...more,
});
const fx = (more: Partial<RequestQuotePayload> = {}) =>
  asking({ targetAsset: 'eth-base/usdc', tradeReason: 'transfer-between-same-entity-accounts', ...more });
const request = (payload: RequestQuotePayload, as = context()) => engines.bus.request(RequestQuote, payload, as);
const stored = (quoteId: string) => engines.bus.request(GetQuote, { quoteId }, context());
const streamOf = (quoteId: string) => engines.store.read(`quote-${quoteId}`);
const setPricing = (rate: string | null, offMarket: boolean | null) =>
  engines.bus.request(SetSandboxPricing, { rate, offMarket }, context());

class TestRoot {}

/** With every pair that has a price, so that prices of pairs can be tested that cannot be ordered yet. */
async function start(environment: Environment = 'sandbox', pairs: QuotedPairs | null = PAIRS): Promise<void> {
  const runtime = {
    ...readRuntime({ PONTE_DATA_DIR: folder.path, PONTE_LOG_LEVEL: 'silent', PONTE_ENGINES: 'embedded' }),
    environment,
  };
  engines = {
    ...(await openEmbeddedEngines(runtime, 'test', { logger: pino({ level: 'silent' }) })),
    clock: { now: () => time.now },
  };
  engines.bus.handle(
    GetAccount.pattern,
    async (payload) => accounts.get((payload as { accountId: string }).accountId) ?? null,
  );
  engines.bus.handle(GetSharePrice.pattern, async () => null);
  const root = {
    module: TestRoot,
    imports: [
      EnginesModule.forRoot(engines),
      pairs === null
        ? PricingModule
        : { module: PricingModule, providers: [{ provide: QUOTED_PAIRS, useValue: pairs }] },
    ],
  };
  app = await NestFactory.createMicroservice(root, {
    strategy: new BusTransport(engines.bus),
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  engines.timers.start();
}

async function stop(): Promise<void> {
  await app.close();
  await engines.close();
}

describe('pricing over the bus, on the embedded engines', () => {
  beforeAll(async () => {
    account('partner', { capabilities: ['international-travels', 'rate-lock-1h'] });
    account('child', { parentId: 'partner' });
    account('frozen', { status: 'frozen' });
    await start();
  });
  afterAll(async () => {
    await stop();
    folder.remove();
  });

  it('answers a quote after it is durable, and finds it again after a restart', async () => {
    const payload = asking();
    const answer = await request(payload);
    expect(answer).toMatchObject({
      quoteId: payload.quoteId,
      state: 'open',
      orderId: null,
      targetAmount: '100.000000000000000000',
      createdAt: '2026-05-13T14:00:00.000Z',
    });
    await stop();
    await start();
    expect(await stored(payload.quoteId)).toEqual(answer);
    expect(await stored(fresh())).toBeNull();
  });

  it('carries out one command once, whatever the rate does; another command under the id is refused', async () => {
    const [payload, once] = [fx(), context()];
    const first = await request(payload, once);
    time.now += 20_000;
    expect(await request(payload, once)).toEqual(first);
    expect(await streamOf(payload.quoteId)).toHaveLength(1);
    await expect(request(payload, context())).rejects.toMatchObject({ code: 'idempotency-key-reused' });
    time.now += 40_000;
    expect(await request(payload, once)).toEqual({ ...first, state: 'expired' });
    time.now = NOON;
  });

  it('explains a quote from its stream, and knows nothing of one that was not issued', async () => {
    const { quoteId, ...quoted } = await request(fx({ sourceAmount: '1000.00' }));
    const explained = await engines.bus.request(ExplainQuote, { quoteId, accountId: 'partner' }, context());
    expect(explained).toMatchObject({
      quote: { quoteId, targetAmount: quoted.targetAmount },
      inputs: { givenAmount: '1000.00', rates: [{ of: 'usd-brl', source: 'seeded' }, { of: 'reference' }] },
    });
    expect(explained?.steps.at(-1)).toEqual({ name: 'VET', formula: 'floor10(S/T)', value: quoted.vet.amount });
    expect(await engines.bus.request(ExplainQuote, { quoteId, accountId: null }, context())).toEqual(explained);
    expect(await engines.bus.request(ExplainQuote, { quoteId, accountId: 'child' }, context())).toBeNull();
    expect(await engines.bus.request(ExplainQuote, { quoteId: fresh(), accountId: null }, context())).toBeNull();
  });

  it('prices a dry run as the request would be priced, refuses it alike, and writes nothing', async () => {
    const payload = fx();
    const { quoteId: _, ...dry } = await engines.bus.request(PriceQuote, payload, context());
    expect(await stored(payload.quoteId)).toBeNull();
    expect(await streamOf(payload.quoteId)).toEqual([]);
    expect(await request(payload)).toMatchObject(dry);
    await expect(engines.bus.request(PriceQuote, asking({ sourceAmount: '0.10' }), context())).rejects.toMatchObject({
      code: 'amount-below-minimum',
    });
    await expect(engines.bus.request(PriceQuote, asking({ accountId: 'frozen' }), context())).rejects.toMatchObject({
      code: 'account-not-active',
    });
  });

  it('prices 64 commands at once', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => request(fx())));
    expect(new Set(answers.map((one) => one.quoteId)).size).toBe(64);
    expect(new Set(answers.map((one) => one.targetAmount)).size).toBe(1);
  });

  it.each<[string, Partial<RequestQuotePayload>, string]>([
    ['a broken rule', { sourceAmount: '0.10' }, 'amount-below-minimum'],
    ['a frozen account', { accountId: 'frozen' }, 'account-not-active'],
    ['an account that is not open yet', { accountId: 'unknown' }, 'account-not-active'],
  ])('writes nothing for %s', async (_, more, code) => {
    const payload = asking(more);
    await expect(request(payload)).rejects.toMatchObject({ code });
    expect(await streamOf(payload.quoteId)).toEqual([]);
  });

  it('records the acceptance of OrderPlaced once, however often the event is repeated', async () => {
    const { quoteId } = await request(asking());
    const orderId = derivedId('order', quoteId);
    const placed = new OrderPlaced({
      orderId,
      quoteId,
      accountId: 'partner',
      parentId: null,
      createdBy: 'ak_test_1',
      externalId: null,
      createdAt: '2026-05-13T14:00:01.000Z',
      sourceAsset: 'fiat/brl',
      targetAsset: 'eth-base/brlv',
      sourceAmount: '100.00',
      targetAmount: '100.000000000000000000',
      baseRate: '1.0000000000',
      effectiveRate: '1.0000000000',
      feeAmount: '0.00',
      feeAsset: 'fiat/brl',
      rateLock: null,
      sourceWalletAddress: null,
      charges: NO_CHARGES,
      settlement: 'mint',
      pixDelivery: null,
      target: { address: '0x', custody: true },
      funding: { kind: 'account-balance', holdId: 'h' },
    });
    const [event] = toAppend([placed], [OrderPlaced], context(), '2026-05-13T14:00:01.000Z');
    if (!event) throw new Error('no event');
    await engines.store.append(`order-${orderId}`, NO_STREAM, [event]);
    await eventually(async () => expect(await stored(quoteId)).toMatchObject({ state: 'accepted', orderId }));
    const [, accepted] = await streamOf(quoteId);
    expect(accepted).toMatchObject({ type: 'QuoteAccepted', data: { acceptedAt: '2026-05-13T14:00:01.000Z' } });
    expect(accepted?.meta.commandId).toBe(causedBy(event, 'accept-quote', 'any').commandId);
    const [reported] = await engines.store.read(`order-${orderId}`);
    if (!reported) throw new Error('no order');
    for (let times = 0; times < 3; times += 1) await app.get<Policies>(policiesOf('pricing')).dispatch(reported);
    expect(await streamOf(quoteId)).toHaveLength(2);
    time.now += 3_600_000;
    expect((await stored(quoteId))?.state).toBe('accepted');
    time.now = NOON;
  });

  it('checks a v0 quote again for a sub-account', async () => {
    const { quoteId } = await request(fx({ scope: 'family', tradeReason: 'international-travels', rateLock: '1h' }));
    const check = (accountId: string, id = quoteId) =>
      engines.bus.request(CheckQuoteFor, { quoteId: id, accountId }, context());
    expect(await check('partner')).toEqual({ ok: true });
    await expect(check('child')).rejects.toMatchObject({
      violations: [{ code: 'trade-reason-not-enabled' }, { code: 'rate-lock-not-enabled' }],
    });
    await expect(check('frozen')).rejects.toMatchObject({ code: 'account-not-active' });
    await expect(check('unknown')).rejects.toMatchObject({ code: 'account-not-active' });
    await expect(check('partner', fresh())).rejects.toMatchObject({ code: 'quote-not-found' });
  });

  it('tells the limits', async () => {
    const { limits } = await engines.bus.request(GetLimits, { accountId: 'partner' }, context());
    expect(limits[0]).toEqual({
      sourceAsset: 'fiat/brl',
      targetAsset: 'tempo/brlv',
      side: 'source',
      asset: 'fiat/brl',
      minimum: '1.00',
      maximum: '10000000.00',
    });
    expect(limits).toHaveLength(2 * PAIRS.length);
  });

  it('lists the pairs that it quotes, with their validity and locks', async () => {
    const { pairs } = await engines.bus.request(GetPairs, {}, context());
    expect(pairs.map(({ source, target }) => [source, target])).toEqual(
      PAIRS.map(({ source, target }) => [source, target]),
    );
    expect(pairs[0]).toMatchObject({
      conversion: 'same-currency',
      validitySeconds: 900,
      rateLocks: [],
      sourceWallet: 'none',
    });
    expect(pairs.find(({ target }) => target === 'eth-base/usdc')).toMatchObject({
      conversion: 'fx',
      validitySeconds: 60,
      rateLocks: expect.arrayContaining([{ name: '5m', seconds: 300 }]) as unknown,
    });
  });

  it('sandbox: fixes rate and flag, outlives a restart, and gives them back', async () => {
    expect((await request(fx())).offMarketPricing).toBe(false);
    expect(await setPricing('6.5', null)).toEqual({ rate: '6.5000000000', offMarket: null });
    expect(await request(fx())).toMatchObject({
      offMarketPricing: true,
      pricing: { baseRate: { amount: '6.5000000000' } },
    });
    await setPricing('6.5', false);
    await stop();
    await start();
    expect(await request(fx())).toMatchObject({
      offMarketPricing: false,
      pricing: { baseRate: { amount: '6.5000000000' } },
    });
    await setPricing(null, true);
    const quoted = await request(fx());
    expect(quoted.offMarketPricing).toBe(true);
    expect(quoted.pricing.baseRate.amount).toMatch(/^5\.[34]/);
    await setPricing(null, null);
    expect((await request(fx())).offMarketPricing).toBe(false);
    for (const rate of ['0', '-1', 'x', '10000.1', '0.009', '1e30']) {
      await expect(setPricing(rate, null)).rejects.toMatchObject({
        violations: [{ code: 'invalid-format', path: 'rate' }],
      });
    }
  });

  it('business time goes on in the log, once for each command, and never back', async () => {
    const advance = (command: { seconds?: number; until?: string }, as = context()) =>
      engines.bus.request(AdvanceClock, { seconds: null, until: null, ...command }, as);
    const once = context();
    expect((await advance({ seconds: 60 }, once)).aheadMs).toBe(60_000);
    expect((await advance({ seconds: 60 }, once)).aheadMs).toBe(60_000);
    expect((await advance({ until: '2000-01-01T00:00:00.000Z' })).aheadMs).toBe(60_000);
    const { now, aheadMs } = await advance({ until: new Date(Date.now() + 7_200_000).toISOString() });
    expect([Math.round(aheadMs / 3_600_000), Math.round((Date.parse(now) - Date.now()) / 3_600_000)]).toEqual([2, 2]);
    expect((await engines.store.read('sandboxClock-business')).map(({ type }) => type)).toEqual([
      'BusinessTimeAdvanced',
      'BusinessTimeAdvanced',
    ]);
    for (const [command, path] of [
      [{ seconds: 0 }, 'seconds'],
      [{ seconds: 1.5 }, 'seconds'],
      [{ until: '9999-01-01T00:00:00.000Z' }, 'until'],
      [{ until: 'noon' }, 'until'],
    ] as const) {
      await expect(advance(command)).rejects.toMatchObject({ violations: [{ code: 'invalid-format', path }] });
    }
  });

  it('production: the messages of the sandbox do not exist, rates must be named, and a log whose time was moved is refused', async () => {
    await stop();
    await expect(start('production')).rejects.toThrow('it cannot be used in production');
    folder.remove();
    await expect(start('production')).rejects.toThrow('PONTE_RATES');
    await engines.close();
    process.env['PONTE_RATES'] = 'seeded';
    try {
      await start('production', null);
    } finally {
      delete process.env['PONTE_RATES'];
    }
    await expect(setPricing('6.5', null)).rejects.toBeInstanceOf(Unavailable);
    await expect(engines.bus.request(AdvanceClock, { seconds: 1, until: null }, context())).rejects.toBeInstanceOf(
      Unavailable,
    );
    expect((await request(asking())).state).toBe('open');
  });

  it('quotes and limits exactly the pairs that can be ordered', async () => {
    for (const { source, target, orderable } of PAIRS) {
      const quoted = request(fx({ sourceAsset: source, targetAsset: target, sourceAmount: '100.00' }));
      await (orderable
        ? expect(quoted).resolves.toMatchObject({ state: 'open' })
        : expect(quoted).rejects.toMatchObject({ code: 'asset-pair-not-supported' }));
    }
    const { limits } = await engines.bus.request(GetLimits, { accountId: 'partner' }, context());
    const { pairs } = await engines.bus.request(GetPairs, {}, context());
    const shown = ORDERABLE_PAIRS.map(({ source, target }) => `${source} ${target}`);
    expect(new Set(limits.map(({ sourceAsset, targetAsset }) => `${sourceAsset} ${targetAsset}`))).toEqual(
      new Set(shown),
    );
    expect(pairs.map(({ source, target }) => `${source} ${target}`)).toEqual(shown);
  });
});

describe('the settings of pricing', () => {
  it.each<[string, Record<string, string>]>([
    ['PONTE_RATES', { PONTE_RATES: 'dice' }],
    ['PONTE_RATES_URL', { PONTE_RATES: 'http' }],
    ['PONTE_RATES_URL', { PONTE_RATES: 'http', PONTE_RATES_URL: 'file:///etc/passwd' }],
    ['PONTE_RATES_BASE', { PONTE_RATES_BASE: '-1' }],
    ['PONTE_RATES_BASE', { PONTE_RATES_BASE: '10001' }],
    ['PONTE_RATES_INTERVAL_MS', { PONTE_RATES: 'http', PONTE_RATES_URL: 'http://rates', PONTE_RATES_INTERVAL_MS: '0' }],
    ['PONTE_RATES_MOST', { PONTE_RATES: 'http', PONTE_RATES_URL: 'http://rates', PONTE_RATES_MOST: '20000' }],
  ])('a mistake in %s stops the start', (name, env) => expect(() => readPricingConfig(env, 'sandbox')).toThrow(name));

  it('reads feeds, and every variable that it reads is documented', () => {
    const read = new Set<string>();
    const env = new Proxy<Record<string, string>>(
      {
        PONTE_RATES: 'http',
        PONTE_RATES_URL: 'https://rates.example/usd',
        PONTE_RATES_PATH: 'bid',
        PONTE_RATES_AUTHORIZATION: 'Bearer k',
        PONTE_RATES_REFERENCE_URL: 'https://ptax.example',
        PONTE_RATES_SHARE_PRICE: '1.2',
      },
      {
        get: (target, name: string) => {
          read.add(name);
          return target[name];
        },
      },
    );
    expect(readPricingConfig(env, 'production').rates).toMatchObject({
      kind: 'http',
      usdBrl: { url: 'https://rates.example/usd', path: 'bid', authorization: 'Bearer k' },
      reference: { url: 'https://ptax.example' },
      sharePrice: undefined,
      intervalMs: 5000,
      timeoutMs: 2000,
    });
    const documented = new Set(PRICING_SETTINGS.map((one) => one.name));
    const derived = /_(REFERENCE|SHARE_PRICE)_(PATH|TIME_PATH|AUTHORIZATION)$/;
    expect([...read].filter((name) => !documented.has(name) && !derived.test(name))).toEqual([]);
  });
});
