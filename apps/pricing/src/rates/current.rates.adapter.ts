import { GetSharePrice } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Rate, fromIso } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Logger } from 'pino';
import type { Market, Observation } from '../market/market.domain';
import type { Rates } from './rates.port';
import type { RateOverride } from '../sandbox/sandbox-rates.port';

interface SharePriceParts {
  readonly bus: MessageBus;
  /** Business time, against which the age of a price is measured. */
  readonly clock: Clock;
  /** Gives the age of a block, because the sandbox moves only business time. */
  readonly systemClock: Clock;
  readonly logger: Logger;
  readonly context: () => RequestContext;
}

/**
 * `unknown` until the first read of the vault: there is no price yet. `not-served`: the chain has no vault, so the
 * source of rates gives the price.
 */
type SharePriceReading = 'unknown' | 'not-served' | Required<Pick<Market, 'sharePrice' | 'shareCost'>>;

/** Milliseconds between two reads until the first has succeeded. */
const FIRST_READ_MS = 1_000;

/**
 * The rates of a source, combined with the wBRLY share price from the vault on the chain and with the overrides of the
 * sandbox. The source's own share price is used only if no vault is served, never because a read failed. A rate set in
 * the sandbox is always fresh.
 */
export class CurrentRates implements Rates, RateOverride {
  private known: SharePriceReading = 'unknown';
  private readAt = -Infinity;
  private rate: Rate | null = null;
  private offMarket: boolean | null = null;

  constructor(private readonly source: Rates) {}

  /** Reads the share price at the given interval, and more often until the first read has succeeded. */
  start(timers: Timers, intervalMs: number, parts: SharePriceParts): void {
    timers.every('pricing.share-price', Math.min(FIRST_READ_MS, intervalMs), async () => {
      const now = performance.now();
      if (this.known !== 'unknown' && now - this.readAt < intervalMs) return;
      this.readAt = now;
      await this.read(parts);
    });
  }

  set(rate: Rate | null, offMarket: boolean | null): void {
    this.rate = rate;
    this.offMarket = offMarket;
  }

  /** Names each field, because the runtime copies the rest of an object slowly. */
  market(now: number): Market {
    const market = this.source.market(now);
    const { sharePrice, shareCost } = this.shareOf(market);
    return {
      usdBrl: this.rate ? { rate: this.rate, observedAt: now, source: 'sandbox' } : market.usdBrl,
      reference: market.reference,
      sharePrice,
      shareCost,
      offMarket: this.offMarket ?? market.offMarket,
    };
  }

  private shareOf({ sharePrice }: Market): Pick<Market, 'sharePrice' | 'shareCost'> {
    if (this.known === 'unknown') return {};
    return this.known === 'not-served' ? { sharePrice } : this.known;
  }

  /** A failed read keeps the last price, which the pricing rules refuse once its block is too old. */
  async read({ bus, clock, systemClock, logger, context }: SharePriceParts): Promise<void> {
    try {
      const found = await bus.request(GetSharePrice, { asset: 'eth-base/wbrly' }, context());
      if (!found) {
        this.known = 'not-served';
        return;
      }
      const { price, cost, blockNumber, minedAt } = found;
      const observedAt = clock.now() - Math.max(0, systemClock.now() - fromIso(minedAt));
      const observed = (text: string): Observation => ({
        rate: Rate.parse('wBRLY', 'BRL', text),
        observedAt,
        source: 'vault',
        blockNumber,
      });
      this.known = { sharePrice: observed(price), shareCost: observed(cost) };
    } catch (error) {
      logger.warn(
        { err: error },
        'the price of a vault share could not be read; the last one is kept until it is too old',
      );
    }
  }
}
