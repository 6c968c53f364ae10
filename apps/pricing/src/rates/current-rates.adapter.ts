import { GetSharePrice } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Rate, fromIso } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Logger } from 'pino';
import type { Market, Observation } from '../market/market.domain';
import type { Rates } from './rates.port';
import type { RateOverride } from '../sandbox/sandbox-rates.port';

export interface SharePriceParts {
  readonly bus: MessageBus;
  /** Business time, by which a price is too old. */
  readonly clock: Clock;
  /** Gives the age of a block; the sandbox moves business time alone. */
  readonly systemClock: Clock;
  readonly logger: Logger;
  readonly context: () => RequestContext;
}

/**
 * `unknown` until the vault was read once: there is no price then. `not-served`: the chain has no vault, and the source
 * of rates gives the price.
 */
type Known = 'unknown' | 'not-served' | Required<Pick<Market, 'sharePrice' | 'shareCost'>>;

/** Between two reads while nothing is known yet. */
const FIRST_READ_MS = 1_000;

/**
 * The rates of a source with the price of a wBRLY share, as the vault on the chain states it, and the settings of the
 * sandbox on top. The source's own share price is used only where no vault is served, never because the vault could
 * not be read. A rate that the sandbox has set is always of this moment.
 */
export class CurrentRates implements Rates, RateOverride {
  private known: Known = 'unknown';
  private readAt = -Infinity;
  private rate: Rate | null = null;
  private offMarket: boolean | null = null;

  constructor(private readonly source: Rates) {}

  /** Reads the share price at every interval, and sooner until the first read has succeeded. */
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

  market(now: number): Market {
    const { sharePrice, ...others } = this.source.market(now);
    return {
      ...others,
      ...(this.known === 'not-served' ? sharePrice && { sharePrice } : this.known !== 'unknown' && this.known),
      ...(this.rate && { usdBrl: { rate: this.rate, observedAt: now, source: 'sandbox' } }),
      ...(this.offMarket !== null && { offMarket: this.offMarket }),
    };
  }

  /** A failed read leaves the last price, which the rules of pricing refuse once its block is too old. */
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
