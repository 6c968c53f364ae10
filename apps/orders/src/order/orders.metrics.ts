import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { OrderRecord } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isoTime, secondsSince } from '@ponte/kernel';
import type { Metrics, Sample } from '@ponte/observability';
import type { Awaited, JoinedDecisions, Waiting } from '@ponte/nest';
import {
  AWAITED,
  CLOCK,
  DECISION_COLUMNS,
  IS_AWAITED,
  IS_MADE,
  joinedDecisions,
  METRICS,
  notWaiting,
  READ_MODELS,
  signedWork,
  waitingOf,
} from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { ORDER_DECISIONS } from './order-decisions.read-model';

/** Buckets for the ages of open orders, in milliseconds. Orders older than an hour fall into `OLDER`. */
const AGES = [
  ['to-1m', 60_000],
  ['to-10m', 600_000],
  ['to-1h', 3_600_000],
] as const;
const OLDER = 'over-1h';
const STATES = ['created', 'processing'] as const;

interface Open extends JoinedDecisions {
  readonly state: string;
  readonly created_at: string;
  /** As text, and only of an order with a decision that is awaited or was made. */
  readonly record: string | null;
  readonly count: number | string;
}

/** Open orders of one state, and what they wait for. */
interface Counted extends Waiting {
  readonly state: string;
  readonly count: number;
}

/**
 * Counts the open orders by state, age and what they wait for. It reads a partial index of only these orders, which
 * stays small.
 */
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
    this.metrics.measure('ponte_orders_open', async () => this.counts(await this.open()));
    this.metrics.measure('ponte_order_oldest_waiting_seconds', async () =>
      this.longestWaits(await this.open(sql`AND ${IS_AWAITED}`)),
    );
  }

  private async open(narrow = sql``): Promise<readonly Counted[]> {
    const { rows } = await sql<Open>`
      SELECT orders.state, orders.created_at, ${DECISION_COLUMNS},
        CASE WHEN ${IS_AWAITED} OR ${IS_MADE} THEN orders.record END AS record, count(*) AS count
      FROM orders ${joinedDecisions(ORDER_DECISIONS, 'orders.account_id', 'orders.id')}
      WHERE orders.state IN ('created', 'processing') ${narrow}
      GROUP BY 1, 2, 3, 4, 5, 6, 7`.execute(this.readModels);
    return rows.map((row) => ({ state: row.state, count: Number(row.count), ...waitOf(row) }));
  }

  private counts(open: readonly Counted[]): readonly Sample[] {
    const now = this.clock.now();
    const ageOf = (since: string): string => AGES.find(([, ms]) => since >= isoTime(now - ms))?.[0] ?? OLDER;
    const counts = new Map(
      STATES.flatMap((state) => [...AGES.map(([age]) => age), OLDER].map((age) => ({ state, age })))
        .flatMap((labels) => AWAITED.map((waits_for) => ({ ...labels, waits_for })))
        .filter(({ state, waits_for }) => state === 'processing' || waits_for === 'nothing')
        .map((labels) => [keyOf(labels), { labels, value: 0 }]),
    );
    for (const { state, since, waitsFor, count } of open) {
      const sample = counts.get(keyOf({ state, age: ageOf(since), waits_for: waitsFor }));
      if (sample) sample.value += count;
    }
    return [...counts.values()];
  }

  private longestWaits(open: readonly Counted[]): readonly Sample[] {
    const now = this.clock.now();
    return AWAITED.filter((waits_for) => waits_for !== 'nothing').map((waits_for) => {
      const waiting = open.filter(({ waitsFor }) => waitsFor === waits_for);
      return {
        labels: { waits_for },
        value: waiting.reduce((max, { since }) => Math.max(max, secondsSince(since, now)), 0),
      };
    });
  }
}

const keyOf = (labels: { readonly state: string; readonly age: string; readonly waits_for: Awaited }): string =>
  `${labels.state} ${labels.age} ${labels.waits_for}`;

/**
 * Only an order whose settlement is still to be signed waits for a decision. Of a created order, this service does not
 * know whether it was paid; a settled one waits for the ledger, which pays it out or ends its payout, so it keeps its
 * age when a decision is made.
 */
function waitOf(row: Open): Waiting {
  const { state, created_at } = row;
  const record = row.record === null ? null : (JSON.parse(row.record) as OrderRecord);
  if (state === 'processing' && record?.txHash === null) return waitingOf(created_at, row);
  return record?.settledAt === undefined ? notWaiting(created_at, row) : signedWork(created_at, record.settledAt, row);
}
