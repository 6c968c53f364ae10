import { Pool } from './pool';

export interface RequestPoolsOptions {
  /** Limit of requests of one level that are handled at once. */
  readonly atOnce: number;
  /** Limit of unfinished requests of one partition whose handlers ask other services. */
  readonly unfinished: number;
  /** 0 for a request whose handler asks no service; otherwise higher than the levels of all that it asks. */
  readonly levelOf: (pattern: string) => number;
}

/**
 * One pool for each level of requests. A handler waits only for requests of lower levels, which are handled in other
 * pools. So services that ask each other cannot block each other, however full their pools are.
 */
export class RequestPools {
  private readonly pools: Pool[] = [];
  /** Number of unfinished requests of each partition whose handlers ask other services. */
  private readonly asking = new Map<number, number>();

  constructor(private readonly options: RequestPoolsOptions) {}

  /**
   * Whether the handler of the request asks other services, so that it may have to wait for this service, too. The
   * requests behind it in its partition must then not wait for it.
   */
  asks(pattern: string): boolean {
    return this.options.levelOf(pattern) > 0;
  }

  /** The work must not reject. False if too many requests of the partition wait for other services already. */
  add(pattern: string, partition: number, work: () => Promise<void>): boolean {
    if (!this.asks(pattern)) {
      this.answer(work);
      return true;
    }
    const asking = this.asking.get(partition) ?? 0;
    if (asking >= this.options.unfinished) return false;
    this.asking.set(partition, asking + 1);
    this.pool(this.options.levelOf(pattern)).add(() =>
      work().finally(() => this.asking.set(partition, (this.asking.get(partition) ?? 1) - 1)),
    );
    return true;
  }

  /** Adds work that asks no service and must not reject. */
  answer(work: () => Promise<void>): void {
    this.pool(0).add(work);
  }

  /** Resolves when everything that was added has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool?.settled()));
  }

  private pool(level: number): Pool {
    return (this.pools[level] ??= new Pool(this.options.atOnce));
  }
}
