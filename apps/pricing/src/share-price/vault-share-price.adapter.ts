import { GetSharePrice } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Rate } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Logger } from 'pino';
import type { Market, Observation } from '../domain/market/market';
import type { Rates } from '../rates/rates.port';

export interface VaultSharePriceParts {
  readonly bus: MessageBus;
  /** Business time, by which a price is too old. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly context: () => RequestContext;
}

/**
 * Puts the price of a wBRLY share, as the vault on the chain states it, on top of a source of rates. The source's own
 * share price is used only where the vault is not served.
 */
export class VaultSharePrice implements Rates {
  private latest: Pick<Market, 'sharePrice' | 'shareCost'> = {};

  constructor(private readonly source: Rates) {}

  start(timers: Timers, intervalMs: number, parts: VaultSharePriceParts): void {
    timers.every('pricing.share-price', intervalMs, () => this.read(parts));
  }

  market(now: number): Market {
    return { ...this.source.market(now), ...this.latest };
  }

  /** A failed read leaves the last price, which the rules of pricing refuse once it is too old. */
  async read({ bus, clock, logger, context }: VaultSharePriceParts): Promise<void> {
    try {
      const found = await bus.request(GetSharePrice, { asset: 'eth-base/wbrly' }, context());
      if (!found) return;
      const observed = (text: string): Observation => ({
        rate: Rate.parse('wBRLY', 'BRL', text),
        observedAt: clock.now(),
        source: 'vault',
      });
      this.latest = { sharePrice: observed(found.price), shareCost: observed(found.cost) };
    } catch (error) {
      logger.warn(
        { err: error },
        'the price of a vault share could not be read; the last one is kept until it is too old',
      );
    }
  }
}
