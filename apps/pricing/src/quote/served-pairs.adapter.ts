import type { Pair } from '@ponte/contracts';
import { GetChains } from '@ponte/contracts';
import type { Timers } from '@ponte/concurrency';
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

/** Milliseconds between two reads of the tokens until the first has succeeded. */
const FIRST_READ_MS = 1_000;

/**
 * The pairs of a table whose token has a contract on its chain, as movements reports it. They are read in the
 * background, so that no quote waits for another service. Until the first read all pairs are quoted, and after a failed
 * read those of the last one: an order of a token without a contract is refused in any case.
 */
export class ServedPairs implements QuotedPairs {
  current: readonly Pair[];
  private isRead = false;
  /** When the last read began, whether or not it succeeded. */
  private readAt = -Infinity;

  constructor(private readonly table: readonly Pair[]) {
    this.current = table;
  }

  /** Reads the tokens at the given interval, and more often until the first read has succeeded. */
  start(timers: Timers, intervalMs: number, parts: ServedPairsParts): void {
    timers.every('pricing.served-pairs', Math.min(FIRST_READ_MS, intervalMs), async () => {
      const now = performance.now();
      if (this.isRead && now - this.readAt < intervalMs) return;
      this.readAt = now;
      await this.read(parts);
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
