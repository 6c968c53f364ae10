import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import { ORDERABLE_PAIRS } from '@ponte/contracts';
import type { EventStore, MessageBus } from '@ponte/event-sourcing';
import { Aggregates, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import {
  CLOCK,
  SYSTEM_CLOCK,
  EVENT_STORE,
  IDS,
  LOGGER,
  MESSAGE_BUS,
  METRICS,
  providePolicies,
  RUNTIME,
  TIMERS,
  TRACING,
} from '@ponte/nest';
import type { Logger } from 'pino';
import type { FeedWatch } from './rates/polled.rates.adapter';
import { PolledRates } from './rates/polled.rates.adapter';
import { FollowSandboxPricing } from './sandbox/follow-sandbox-pricing.adapter';
import { AcceptQuoteHandler, RequestQuoteHandler } from './quote/quote.commands';
import { AdvanceClockHandler } from './sandbox/advance-clock.command';
import { SetSandboxPricingHandler } from './sandbox/set-sandbox-pricing.command';
import { marketAt } from './rules/in-force.domain';
import type { PricingRules } from './rules/rules.domain';
import { assertComplete } from './rules/check-rules.domain';
import { PricingEvents, PricingMessages } from './pricing.controller';
import { QUOTED_PAIRS } from './quote/quoted-pairs.port';
import { QUOTES } from './quote/quotes.port';
import { ServedPairs } from './quote/served.quoted-pairs.adapter';
import { RATES } from './rates/rates.port';
import type { Rates } from './rates/rates.port';
import { CONFIGURED_RULES, RULES } from './rules/rules.port';
import { SANDBOX_RATES } from './sandbox/sandbox-rates.port';
import type { PricingConfig } from './pricing.config';
import { readPricingConfig } from './pricing.config';
import { CheckQuoteForHandler, ExplainQuoteHandler, GetQuoteHandler, PriceQuoteHandler } from './quote/quote.queries';
import { GetLimitsHandler, GetPairsHandler } from './quote/pairs.queries';
import { rateSourceOf } from './rates/configured.rates.adapter';
import { measureRates } from './rates/rates.metrics';
import { isUnchecked, untimedFeeds } from './rates/unchecked-rate';
import { WeightedRates } from './rates/weighted.rates.adapter';
import { AdoptRulesHandler } from './rules/adopt-rules.command';
import { AdoptRules } from './rules/adopt-rules.job';
import { BacktestRulesHandler } from './backtest/backtest-rules.query';
import { CheckRulesHandler, GetRulesHandler, GetRulesVersionHandler } from './rules/rules.queries';
import type { ConfiguredRules } from './rules/configured-rules.domain';
import { RulesMessages } from './rules/rules.controller';
import { SandboxPricingMessages } from './sandbox/sandbox.messages';
import { CurrentRates } from './rates/current.rates.adapter';
import { PRICING_POLICIES } from './pricing.policies';

/** The settings of this process. Tests provide their own. */
export const PRICING_CONFIG = Symbol('PricingConfig');
/**
 * How many decided quotes a sole writer keeps in memory; its store has the text of the newest streams. Quotes come
 * faster than anything else and few are read again. Each consists of thirty objects, so keeping as many as of other
 * streams made every garbage collection copy them, at about 5 % of a quote.
 */
const QUOTES_OF_SOLE_WRITER = 300;
/** Milliseconds between two reads of the share price. It changes slowly, because a vault earns by the day. */
const SHARE_PRICE_MS = 10_000;
/** Milliseconds between two reads of the tokens that have a contract. They change only when movements is configured. */
const SERVED_PAIRS_MS = 10_000;
/** The configured source of rates, without the overrides of the sandbox. */
const RATE_SOURCE = Symbol('RateSource');

@Module({
  controllers: [PricingMessages, PricingEvents, RulesMessages],
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
    { provide: RATES, useFactory: (source: Rates) => new CurrentRates(source), inject: [RATE_SOURCE] },
    {
      provide: SANDBOX_RATES,
      useFactory: (rates: CurrentRates, { environment }: Runtime) => (environment === 'sandbox' ? rates : null),
      inject: [RATES, RUNTIME],
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
    { provide: QUOTED_PAIRS, useFactory: () => new ServedPairs(ORDERABLE_PAIRS) },
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
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(RATES) private readonly rates: CurrentRates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(RULES) private readonly rules: PricingRules,
    @Inject(QUOTED_PAIRS) private readonly pairs: ServedPairs,
  ) {}

  private get watch(): FeedWatch {
    const { logger, tracing, metrics, clock } = this;
    return { logger, tracing, metrics, clock };
  }

  /** Starts the polling of rates and pairs, which the timers stop at shutdown, and the metrics of rates. */
  onApplicationBootstrap(): void {
    const {
      source,
      config: { rates },
    } = this;
    if ((source instanceof PolledRates || source instanceof WeightedRates) && rates.kind === 'http') {
      source.start(this.timers, rates.intervalMs, this.watch);
    }
    measureRates(this.metrics, { rates: this.rates, rules: this.rules, clock: this.clock });
    this.metrics.measure('ponte_rate_unchecked', async () => [{ value: this.isUnchecked() ? 1 : 0 }]);
    if (this.isUnchecked())
      this.logger.warn(
        'USD/BRL is compared neither with a second source nor with a bounded reference: a wrong rate would be quoted',
      );
    const untimed = untimedFeeds(rates);
    if (untimed.length > 0)
      this.logger.warn(
        { feeds: untimed },
        'rate feeds without a time path: an old answer that they repeat counts as new',
      );
    const { bus, clock, systemClock, logger, ids } = this;
    const context = () => systemContext(ids, 'pricing');
    this.rates.start(this.timers, SHARE_PRICE_MS, { bus, clock, systemClock, logger, context });
    this.pairs.start(this.timers, SERVED_PAIRS_MS, { bus, logger, context });
  }

  private isUnchecked(): boolean {
    return isUnchecked(this.config.rates, marketAt(this.rules, this.clock.now()));
  }
}

function rulesOf({ rules }: ConfiguredRules, clock: Clock) {
  assertComplete(rules, clock.now());
  return rules;
}
