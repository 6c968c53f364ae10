import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pino from 'pino';
import type { AccountRecord } from '@ponte/contracts';
import {
  BacktestPricingRules,
  CheckPricingRules,
  ExplainQuote,
  GetAccount,
  GetPricingRules,
  GetRulesVersion,
  PAIRS,
  RequestQuote,
} from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines, readRuntime } from '@ponte/nest';
import { eventually, temporaryFolder } from '@ponte/testing';
import defaultRules from '../default-rules.json';
import { readRules } from './read-rules.domain';
import { QUOTED_PAIRS } from '../quote/quoted-pairs.port';
import { ServedPairs } from '../quote/served.quoted-pairs.adapter';
import { PRICING_CONFIG, PricingModule } from '../pricing.module';
import { readPricingConfig } from '../pricing.config';
import { reprice } from '../backtest/reprice.domain';

/** A Wednesday, 11:00 in São Paulo. */
const NOON = Date.UTC(2026, 4, 13, 14);
const folder = temporaryFolder();
const time = { now: NOON };
let engines: Engines;
let app: INestMicroservice;
let ids = 0;

class TestRoot {}

const fresh = () => derivedId('rules-test', String((ids += 1)));
const context = (): RequestContext => ({ commandId: fresh(), correlationId: fresh(), actor: 'ak_test_1' });
const wider = {
  ...defaultRules,
  version: { id: 'wider', 'valid-from': '2026-01-01T00:00:00.000Z', 'valid-to': null },
  spreads: defaultRules.spreads.map((row) => ({ ...row, bps: 160 })),
};
const partner: AccountRecord = {
  ...{
    accountId: 'partner',
    parentId: null,
    alias: 'partner',
    status: 'active',
    externalId: null,
    onboardingMode: 'kyc',
  },
  ...{ capabilities: [], taxIdFingerprint: 'f', createdAt: '2026-01-01T00:00:00.000Z' },
};

/** Starts a process with these rules on the shared log. */
async function start(json: object = defaultRules): Promise<void> {
  const file = join(folder.path, 'rules.json');
  writeFileSync(file, JSON.stringify(json));
  const runtime = readRuntime({ PONTE_DATA_DIR: folder.path, PONTE_LOG_LEVEL: 'silent', PONTE_ENGINES: 'embedded' });
  const opened = await openEmbeddedEngines(runtime, 'test', { logger: pino({ level: 'silent' }) });
  engines = { ...opened, clock: { now: () => time.now } };
  engines.bus.handle(GetAccount.pattern, async () => partner);
  const config = readPricingConfig({ PONTE_PRICING_RULES: file }, 'sandbox');
  const providers = [
    { provide: QUOTED_PAIRS, useFactory: () => new ServedPairs(PAIRS) },
    { provide: PRICING_CONFIG, useValue: config },
  ];
  const root = { module: TestRoot, imports: [EnginesModule.forRoot(engines), { module: PricingModule, providers }] };
  app = await NestFactory.createMicroservice(root, { strategy: new BusTransport(engines.bus), logger: false });
  await app.listen();
  engines.timers.start();
  await eventually(async () => expect((await rules()).history[0]?.version).toBe(readRules(json).version));
}

async function stop(): Promise<void> {
  await app.close();
  await engines.close();
}

const rules = () => engines.bus.request(GetPricingRules, {}, context());
const quoteOf = (sourceAmount: string) =>
  engines.bus.request(
    RequestQuote,
    {
      ...{
        quoteId: fresh(),
        accountId: 'partner',
        scope: 'account',
        sourceAsset: 'fiat/brl',
        targetAsset: 'eth-base/usdc',
      },
      ...{ sourceAmount, targetAmount: null, tradeReason: 'transfer-between-same-entity-accounts', rateLock: null },
    },
    context(),
  );
const backtest = (proposed: unknown, last = 100, at: string | null = null) =>
  engines.bus.request(BacktestPricingRules, { rules: proposed, last, at }, context());

describe('the rules of an installation', () => {
  beforeAll(() => start());
  afterAll(async () => {
    await stop();
    folder.remove();
  });

  it('are recorded once with their complete content, and again when they change', async () => {
    const first = await rules();
    expect(first.inForce).toMatchObject({
      id: '2020-01',
      adoptedAt: '2026-05-13T14:00:00.000Z',
      tables: { spreads: defaultRules.spreads },
    });
    for (const [json, minutes] of [
      [defaultRules, 1],
      [wider, 2],
      [defaultRules, 3],
    ] as const) {
      await stop();
      time.now = NOON + minutes * 60_000;
      await start(json);
    }
    const { history, inForce } = await rules();
    expect(history.map(({ id, adoptedAt }) => [id, adoptedAt])).toEqual([
      ['2020-01', '2026-05-13T14:03:00.000Z'],
      ['wider', '2026-05-13T14:02:00.000Z'],
      ['2020-01', '2026-05-13T14:00:00.000Z'],
    ]);
    expect(inForce).toMatchObject({
      id: '2020-01',
      version: first.inForce.version,
      adoptedAt: '2026-05-13T14:03:00.000Z',
    });
    time.now = NOON;
  });

  it('can recompute an old quote after they have changed', async () => {
    const { quoteId } = await quoteOf('1000.00');
    await stop();
    await start(wider);
    const explained = await engines.bus.request(ExplainQuote, { quoteId, accountId: null }, context());
    const version = explained?.inputs.rulesVersion ?? '';
    const adopted = await engines.bus.request(GetRulesVersion, { version }, context());
    const { version: id, validFrom, validTo, tables } = adopted ?? (await rules()).inForce;
    const content = { ...tables, version: { id: adopted?.id, 'valid-from': validFrom, 'valid-to': validTo } };
    expect(readRules(content).version).toBe(id);
    if (!explained) throw new Error('the quote does not exist');
    expect(reprice({ ...explained.quote, inputs: explained.inputs }, readRules(content)).changed).toBe(false);
    expect(reprice({ ...explained.quote, inputs: explained.inputs }, readRules(wider)).changed).toBe(true);
    expect(await engines.bus.request(GetRulesVersion, { version: fresh() }, context())).toBeNull();
    await stop();
    await start();
  });

  it('are compared with proposed rules on the latest quotes, newest first, without writing anything', async () => {
    const quotes = [];
    for (const amount of ['100.00', '200.00', '300.00']) quotes.push(await quoteOf(amount));
    const head = await engines.store.head();
    const report = await backtest(wider, 2);
    expect(report).toMatchObject({ quotes: 2, changed: 2, refused: 0, proposed: { id: 'wider' } });
    expect(report.items.map(({ quoteId }) => quoteId)).toEqual(
      quotes
        .map(({ quoteId }) => quoteId)
        .reverse()
        .slice(0, 2),
    );
    expect(await backtest(defaultRules)).toMatchObject({ quotes: 4, changed: 0, largest: null });
    expect(await engines.store.head()).toBe(head);
  });

  it('are checked for all violations with their paths, and are not back-tested if there is one', async () => {
    const wrong = { ...defaultRules, spreads: [{ ...defaultRules.spreads[0], bps: -80 }] };
    const check = await engines.bus.request(CheckPricingRules, { rules: wrong }, context());
    expect(check.violations.map(({ path }) => path)).toEqual(['spreads[0].bps']);
    await expect(backtest(wrong)).rejects.toMatchObject({
      violations: [{ code: 'invalid-format', path: 'rules.spreads[0].bps' }],
    });
    await expect(backtest(null)).rejects.toMatchObject({ violations: [{ path: 'rules' }] });
    for (const last of [0, 501, 1.5])
      await expect(backtest(wider, last)).rejects.toMatchObject({ violations: [{ path: 'last' }] });
    await expect(backtest(wider, 1, 'tomorrow')).rejects.toMatchObject({ violations: [{ path: 'at' }] });
  });
});
