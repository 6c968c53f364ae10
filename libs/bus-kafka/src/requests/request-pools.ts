import { Pool } from './pool';

export interface RequestPoolsOptions {
  /** Maximum number of requests of one level that are handled at once. */
  readonly atOnce: number;
  /** Maximum number of unfinished requests per partition whose handlers make nested requests. */
  readonly unfinished: number;
  /** 0 for a request whose handler makes no nested requests; otherwise higher than the level of each of them. */
  readonly levelOf: (pattern: string) => number;
}

/**
 * One pool for each level of requests. A handler waits only for requests of lower levels, which are handled in other
 * pools. So services that send each other nested requests cannot block each other, however full their pools are.
 */
export class RequestPools {
  private readonly pools: Pool[] = [];
  /** Number of unfinished requests whose handlers make nested requests, by partition. */
  private readonly unfinishedNesting = new Map<number, number>();

  constructor(private readonly options: RequestPoolsOptions) {}

  /**
   * Whether the handler of the request makes nested requests. It may then in turn have to wait for this service, so the
   * requests behind it in its partition must not wait for it.
   */
  makesNestedRequests(pattern: string): boolean {
    return this.options.levelOf(pattern) > 0;
  }

  /** The work must not reject. Returns false if too many requests of the partition are waiting for other services. */
  add(pattern: string, partition: number, work: () => Promise<void>): boolean {
    if (!this.makesNestedRequests(pattern)) {
      this.answer(work);
      return true;
    }
    const unfinished = this.unfinishedNesting.get(partition) ?? 0;
    if (unfinished >= this.options.unfinished) return false;
    this.unfinishedNesting.set(partition, unfinished + 1);
    this.pool(this.options.levelOf(pattern)).add(() =>
      work().finally(() => this.unfinishedNesting.set(partition, (this.unfinishedNesting.get(partition) ?? 1) - 1)),
    );
    return true;
  }

  /** Adds work that makes no nested requests and must not reject. */
  answer(work: () => Promise<void>): void {
    this.pool(0).add(work);
  }

  /** Resolves when all added work has finished. */
  async settled(): Promise<void> {
    await Promise.all(this.pools.map((pool) => pool?.settled()));
  }

  private pool(level: number): Pool {
    return (this.pools[level] ??= new Pool(this.options.atOnce));
  }
}
