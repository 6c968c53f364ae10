import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pino from 'pino';
import type { AccountRecord, ChainRecord, Pair, RequestQuotePayload, TokenRecord } from '@ponte/contracts';
import {
  GetAccount,
  GetChains,
  GetQuote,
  GetSharePrice,
  PAIRS,
  RequestQuote,
  SetSandboxPricing,
} from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { ASSET_IDS, CHAINS, assetOf, chainIdOf, derivedId, isToken } from '@ponte/kernel';
import type { Engines, Environment } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines, readRuntime } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import { QUOTED_PAIRS } from '../quote/quoted-pairs.port';
import { ServedPairs } from '../quote/served.quoted-pairs.adapter';
import { PricingModule } from '../pricing.module';

/** A Wednesday, 11:00 in São Paulo. */
export const NOON = Date.UTC(2026, 4, 13, 14);
let ids = 0;

export const fresh = () => derivedId('test', String((ids += 1)));
export const context = (commandId = fresh()): RequestContext => ({
  commandId,
  correlationId: commandId,
  actor: 'ak_test_1',
});
export const asking = (more: Partial<RequestQuotePayload> = {}): RequestQuotePayload => ({
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
export const fx = (more: Partial<RequestQuotePayload> = {}) =>
  asking({ targetAsset: 'eth-base/usdc', tradeReason: 'transfer-between-same-entity-accounts', ...more });

const account = (accountId: string, more: Partial<AccountRecord> = {}): AccountRecord => ({
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
const ACCOUNTS = [
  account('partner', { capabilities: ['international-travels', 'rate-lock-1h'] }),
  account('child', { parentId: 'partner' }),
  account('frozen', { status: 'frozen' }),
];

class TestRoot {}

/** The pricing service on embedded engines. Its log survives a restart. */
export class PricingUnderTest {
  readonly time = { now: NOON };
  readonly folder = temporaryFolder();
  /** The tokens that have no contract, once pricing has read them again. */
  readonly withoutContract = new Set<AssetId>();
  engines!: Engines;
  app!: INestMicroservice;

  /** By default with every pair that has a price, so that pairs that cannot be ordered yet can be tested. */
  async start(environment: Environment = 'sandbox', pairs: readonly Pair[] | null = PAIRS): Promise<void> {
    const runtime = {
      ...readRuntime({ PONTE_DATA_DIR: this.folder.path, PONTE_LOG_LEVEL: 'silent', PONTE_ENGINES: 'embedded' }),
      environment,
    };
    const engines = {
      ...(await openEmbeddedEngines(runtime, 'test', { logger: pino({ level: 'silent' }), checkRequests: true })),
      clock: { now: () => this.time.now },
    };
    this.engines = engines;
    engines.bus.handle(
      GetAccount.pattern,
      async (payload) => ACCOUNTS.find((one) => one.accountId === (payload as { accountId: string }).accountId) ?? null,
    );
    engines.bus.handle(GetSharePrice.pattern, async () => null);
    engines.bus.handle(GetChains.pattern, async () => ({ chains: this.chains() }));
    const root = {
      module: TestRoot,
      imports: [
        EnginesModule.forRoot(engines),
        pairs === null
          ? PricingModule
          : { module: PricingModule, providers: [{ provide: QUOTED_PAIRS, useFactory: () => new ServedPairs(pairs) }] },
      ],
    };
    this.app = await NestFactory.createMicroservice(root, {
      strategy: new BusTransport(engines.bus),
      logger: false,
      abortOnError: false,
    });
    await this.app.listen();
    engines.timers.start();
  }

  private chains(): readonly ChainRecord[] {
    const tokens = ASSET_IDS.filter((asset) => isToken(asset) && !this.withoutContract.has(asset));
    return CHAINS.map((chain) => ({
      ...{ chain, chainId: chainIdOf(chain), confirmations: 1, minter: '0x1', custody: '0x2' },
      tokens: tokens.flatMap((asset): TokenRecord[] =>
        assetOf(asset).chain === chain ? [{ asset, address: '0x3', decimals: 18 }] : [],
      ),
    }));
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.engines.close();
  }

  request(payload: RequestQuotePayload, as = context()) {
    return this.engines.bus.request(RequestQuote, payload, as);
  }

  stored(quoteId: string) {
    return this.engines.bus.request(GetQuote, { quoteId }, context());
  }

  streamOf(quoteId: string) {
    return this.engines.store.read(`quote-${quoteId}`);
  }

  setPricing(rate: string | null, offMarket: boolean | null) {
    return this.engines.bus.request(SetSandboxPricing, { rate, offMarket }, context());
  }
}
