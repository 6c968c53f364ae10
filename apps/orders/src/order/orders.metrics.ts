import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import type { Metrics, Sample } from '@ponte/observability';
import { CLOCK, METRICS, READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Buckets for the ages of open orders, in milliseconds. Orders older than an hour fall into `OLDER`. */
const AGES = [
  ['to-1m', 60_000],
  ['to-10m', 600_000],
  ['to-1h', 3_600_000],
] as const;
const OLDER = 'over-1h';
const STATES = ['created', 'processing'] as const;

interface Open {
  readonly state: string;
  readonly created_at: string;
  readonly count: number;
}

/** Counts the open orders by state and age. It reads a partial index of only these orders, which stays small. */
@Injectable()
export class OrdersMetrics implements OnApplicationBootstrap {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(READ_MODELS) private readonly readModels: Kysely<unknown>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // The states are literals in the statements because a database uses a partial index only if the condition of the
    // query implies that of the index, and cannot prove this for parameters.
    const index = sql`
      CREATE INDEX IF NOT EXISTS orders_open ON orders (created_at, state) WHERE state IN ('created', 'processing')`;
    await index.execute(this.readModels);
    this.metrics.measure('ponte_orders_open', () => this.open());
  }

  private async open(): Promise<readonly Sample[]> {
    const now = this.clock.now();
    const { rows } = await sql<Open>`
      SELECT state, created_at, count(*) AS count FROM orders
      WHERE state IN ('created', 'processing') GROUP BY created_at, state`.execute(this.readModels);
    const ageOf = (createdAt: string): string => AGES.find(([, ms]) => createdAt >= isoTime(now - ms))?.[0] ?? OLDER;
    const counts = new Map(
      STATES.flatMap((state) =>
        [...AGES.map(([age]) => age), OLDER].map((age) => [`${state} ${age}`, { labels: { state, age }, value: 0 }]),
      ),
    );
    for (const { state, created_at: createdAt, count } of rows) {
      const sample = counts.get(`${state} ${ageOf(createdAt)}`);
      if (sample) sample.value += Number(count);
    }
    return [...counts.values()];
  }
}
