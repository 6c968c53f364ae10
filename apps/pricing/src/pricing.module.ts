import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import { ORDERABLE_PAIRS } from '@ponte/contracts';
import type { EventStore, MessageBus } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import {
  CLOCK,
  EVENT_STORE,
  IDS,
  LOGGER,
  MESSAGE_BUS,
  METRICS,
  systemContext,
  providePolicies,
  RUNTIME,
  TIMERS,
  TRACING,
} from '@ponte/nest';
import type { Logger } from 'pino';
import type { FeedWatch } from './adapters/rates/polled';
import { PolledRates } from './adapters/rates/polled';
import { OverriddenRates } from './adapters/rates/sandbox';
import { FollowSandboxPricing } from './adapters/sandbox-settings/log';
import { AcceptQuoteHandler } from './commands/accept-quote';
import { RequestQuoteHandler } from './commands/request-quote';
import { AdvanceClockHandler } from './commands/advance-clock';
import { SetSandboxPricingHandler } from './commands/set-sandbox-pricing';
import { assertComplete } from './domain/rules/in-force';
import { PricingMessages } from './messages.controller';
import { QUOTED_PAIRS } from './ports/pairs';
import { QUOTES } from './ports/quotes';
import { RATES } from './ports/rates';
import type { Rates } from './ports/rates';
import { CONFIGURED_RULES, RULES } from './ports/rules';
import { SANDBOX_RATES } from './ports/sandbox-rates';
import type { PricingConfig } from './pricing.config';
import { readPricingConfig } from './pricing.config';
import { CheckQuoteForHandler } from './queries/check-quote-for';
import { ExplainQuoteHandler } from './queries/explain-quote.query';
import { GetLimitsHandler } from './queries/get-limits';
import { GetPairsHandler } from './queries/get-pairs.query';
import { GetQuoteHandler } from './queries/get-quote';
import { PriceQuoteHandler } from './queries/price-quote.query';
import { rateSourceOf } from './adapters/rates/configured';
import { WeightedRates } from './adapters/rates/weighted';
import { AdoptRulesHandler } from './rules/adopt-rules.command';
import { AdoptRules } from './rules/adopt-rules.job';
import { BacktestRulesHandler } from './rules/backtest-rules.query';
import { CheckRulesHandler } from './rules/check-rules.query';
import type { ConfiguredRules } from './rules/configured-rules';
import { GetRulesHandler, GetRulesVersionHandler } from './rules/get-rules.query';
import { RulesMessages } from './rules/rules.messages';
import { SandboxPricingMessages } from './sandbox.messages';
import { VaultSharePrice } from './share-price/vault-share-price.adapter';
import { PRICING_POLICIES } from './policies/pricing.policies';

/** The settings of this process; tests put their own in its place. */
export const PRICING_CONFIG = Symbol('PricingConfig');
/**
 * Quotes in memory as they were decided, where the store has the text of what began lately. They come faster than all
 * else, few are asked for again, and each consists of thirty objects: as many as of other streams would be copied by
 * every garbage collection, which was some 5 % of a quote.
 */
const QUOTES_OF_SOLE_WRITER = 300;
/** The price of a share changes slowly: a vault earns by the day. */
const SHARE_PRICE_MS = 10_000;
/** Where rates come from, without the sandbox's word on top. */
const RATE_SOURCE = Symbol('RateSource');

@Module({
  controllers: [PricingMessages, RulesMessages],
  providers: [
    {
      provide: PRICING_CONFIG,
      useFactory: (runtime: Runtime) => readPricingConfig(process.env, runtime.environment),
      inject: [RUNTIME],
    },
    { provide: CONFIGURED_RULES, useFactory: ({ rules }: PricingConfig) => rules, inject: [PRICING_CONFIG] },
    { provide: RULES, useFactory: rulesOf, inject: [CONFIGURED_RULES, CLOCK] },
    AdoptRules,
    AdoptRulesHandler,
    GetRulesHandler,
    GetRulesVersionHandler,
    CheckRulesHandler,
    BacktestRulesHandler,
    {
      provide: RATE_SOURCE,
      useFactory: ({ rates }: PricingConfig, clock: Clock) => rateSourceOf(rates, clock),
      inject: [PRICING_CONFIG, CLOCK],
    },
    { provide: VaultSharePrice, useFactory: (source: Rates) => new VaultSharePrice(source), inject: [RATE_SOURCE] },
    {
      provide: SANDBOX_RATES,
      useFactory: (source: Rates, runtime: Runtime) =>
        runtime.environment === 'sandbox' ? new OverriddenRates(source) : null,
      inject: [VaultSharePrice, RUNTIME],
    },
    {
      provide: RATES,
      useFactory: (source: Rates, overridden: OverriddenRates | null) => overridden ?? source,
      inject: [VaultSharePrice, SANDBOX_RATES],
    },
    {
      provide: QUOTES,
      useFactory: (aggregates: Aggregates, store: EventStore) =>
        aggregates.withOptions(store.soleWriter ? { capacity: QUOTES_OF_SOLE_WRITER } : {}),
      inject: [Aggregates, EVENT_STORE],
    },
    RequestQuoteHandler,
    AcceptQuoteHandler,
    SetSandboxPricingHandler,
    AdvanceClockHandler,
    GetQuoteHandler,
    ExplainQuoteHandler,
    PriceQuoteHandler,
    CheckQuoteForHandler,
    GetLimitsHandler,
    GetPairsHandler,
    { provide: QUOTED_PAIRS, useValue: ORDERABLE_PAIRS },
    SandboxPricingMessages,
    FollowSandboxPricing,
    ...providePolicies('pricing', PRICING_POLICIES),
  ],
})
export class PricingModule implements OnApplicationBootstrap {
  constructor(
    @Inject(PRICING_CONFIG) private readonly config: PricingConfig,
    @Inject(RATE_SOURCE) private readonly source: Rates,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(TRACING) private readonly tracing: Tracing,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly sharePrice: VaultSharePrice,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  private get watch(): FeedWatch {
    const { logger, tracing, metrics, clock } = this;
    return { logger, tracing, metrics, clock };
  }

  /** The timers end the polling with the process. */
  onApplicationBootstrap(): void {
    const {
      source,
      config: { rates },
    } = this;
    if ((source instanceof PolledRates || source instanceof WeightedRates) && rates.kind === 'http') {
      source.start(this.timers, rates.intervalMs, this.watch);
    }
    const { bus, clock, logger, ids } = this;
    this.sharePrice.start(this.timers, SHARE_PRICE_MS, {
      bus,
      clock,
      logger,
      context: () => systemContext(ids, 'pricing'),
    });
  }
}

function rulesOf({ rules }: ConfiguredRules, clock: Clock) {
  assertComplete(rules, clock.now());
  return rules;
}
