import type { Pair } from '@ponte/contracts';
import { GetChains } from '@ponte/contracts';
import type { Timers } from '@ponte/concurrency';
import { retryDelay } from '@ponte/concurrency';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { isToken } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { QuotedPairs } from './quoted-pairs.port';

interface ServedPairsParts {
  readonly bus: MessageBus;
  readonly logger: Logger;
  readonly context: () => RequestContext;
}

/** How often the timer looks whether a read of the tokens is due, in milliseconds. */
const LOOK_MS = 1_000;
/**
 * Delays after failed reads until the first has succeeded, in milliseconds; the last one is repeated. Movements may
 * start later than pricing, or be unavailable for long.
 */
const FIRST_READ_DELAYS = [1_000, 2_000, 5_000, 10_000];

/**
 * The pairs of a table whose token has a contract on its chain, as movements reports it. They are read in the
 * background, so that no quote waits for another service. Until the first read all pairs are quoted, and after a failed
 * read those of the last one: an order of a token without a contract is refused in any case.
 */
export class ServedPairs implements QuotedPairs {
  current: readonly Pair[];
  private isRead = false;
  /** Failed reads before the first success. */
  private failures = 0;
  /** When the next read is due, on the clock of `performance`. */
  private dueAt = -Infinity;

  constructor(private readonly table: readonly Pair[]) {
    this.current = table;
  }

  /** Reads the tokens at the given interval, and more often until the first read has succeeded. */
  start(timers: Timers, intervalMs: number, parts: ServedPairsParts): void {
    timers.every('pricing.served-pairs', Math.min(LOOK_MS, intervalMs), async () => {
      const now = performance.now();
      if (now < this.dueAt) return;
      await this.read(parts);
      const delay = this.isRead ? intervalMs : retryDelay(this.failures, FIRST_READ_DELAYS);
      this.dueAt = now + Math.min(delay, intervalMs);
    });
  }

  async read({ bus, logger, context }: ServedPairsParts): Promise<void> {
    try {
      const { chains } = await bus.request(GetChains, {}, context());
      const served = new Set(chains.flatMap(({ tokens }) => tokens.map(({ asset }) => asset)));
      const isServed = (asset: AssetId): boolean => !isToken(asset) || served.has(asset);
      this.change(
        this.table.filter(({ source, target }) => isServed(source) && isServed(target)),
        logger,
      );
      this.isRead = true;
    } catch (error) {
      this.failures += 1;
      logger.warn({ err: error }, 'which tokens have a contract could not be read; the pairs stay as they are');
    }
  }

  private change(pairs: readonly Pair[], logger: Logger): void {
    if (pairs.length === this.current.length && pairs.every((pair, at) => pair === this.current[at])) return;
    this.current = pairs;
    const missing = this.table
      .filter((pair) => !pairs.includes(pair))
      .map(({ source, target }) => `${source} ${target}`);
    if (missing.length > 0) logger.warn({ missing }, 'pairs whose token has no contract on its chain are not quoted');
    else logger.info('every token has a contract on its chain again; all pairs are quoted');
  }
}
