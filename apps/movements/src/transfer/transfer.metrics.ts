import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { AnyTransferRecord } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { secondsSince } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { JoinedDecisions, Waiting } from '@ponte/nest';
import {
  CLOCK,
  DECISION_COLUMNS,
  IS_MADE,
  joinedDecisions,
  METRICS,
  READ_MODELS,
  signedWork,
  waitingOf,
} from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { MOVEMENT_DECISIONS } from '../waiting-work/movement-decisions.read-model';
import { TransferReadModel } from './transfers.read-model';

const OPEN = ['created', 'pending'] as const;
const TABLES = { token: 'transfers', nft: 'nft_transfers' } as const;

interface Open extends JoinedDecisions {
  readonly state: string;
  readonly created_at: string;
  /** As text, and only of a signed one with a decision that was made. */
  readonly record: string | null;
}

/** Metrics of open transfers. */
@Injectable()
export class TransferMetrics implements OnModuleInit {
  constructor(
    private readonly transfers: TransferReadModel,
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(READ_MODELS) private readonly readModels: Kysely<unknown>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_transfers_open', async () => {
      const rows = await this.transfers.table.rows
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .where('unfinished', '=', 1)
        .groupBy('state')
        .execute();
      return OPEN.map((state) => ({
        labels: { state },
        value: Number(rows.find((row) => row.state === state)?.count ?? 0),
      }));
    });
    this.metrics.measure('ponte_transfer_oldest_seconds', async () =>
      Promise.all(
        (['token', 'nft'] as const).map(async (type) => ({ labels: { type }, value: await this.oldest(TABLES[type]) })),
      ),
    );
  }

  /**
   * How long the oldest open transfer has been open, in seconds. One that waits for staff does not count; a pending one
   * does not wait for them, because it is signed, and keeps its age when they decide.
   */
  private async oldest(table: 'transfers' | 'nft_transfers'): Promise<number> {
    const { rows } = await sql<Open>`
      SELECT transfers.state, ${DECISION_COLUMNS},
        CASE WHEN transfers.state = 'pending' AND ${IS_MADE} THEN transfers.record END AS record,
        min(transfers.created_at) AS created_at
      FROM ${sql.table(table)} AS transfers
      ${joinedDecisions(MOVEMENT_DECISIONS, 'transfers.account_id', 'transfers.id')}
      WHERE transfers.unfinished = 1
      GROUP BY 1, 2, 3, 4, 5, 6`.execute(this.readModels);
    const due = rows
      .map(waitOf)
      .filter(({ waitsFor }) => waitsFor === 'nothing')
      .map(({ since }) => since);
    return secondsSince(due.sort()[0], this.clock.now());
  }
}

/** Rows of earlier releases do not say when a pending transfer was signed, only when its state or hash changed. */
function waitOf(row: Open): Waiting {
  const { state, created_at } = row;
  if (state === 'created') return waitingOf(created_at, row);
  const record = row.record === null ? null : (JSON.parse(row.record) as AnyTransferRecord);
  return signedWork(created_at, record && (record.signedAt ?? record.stateUpdatedAt), row);
}
