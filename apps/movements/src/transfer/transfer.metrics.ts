import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Metrics } from '@ponte/observability';
import { METRICS, READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import type { TransferRow } from './transfers.read-model';

const OPEN = ['created', 'pending'] as const;

/** Metrics of open transfers. */
@Injectable()
export class TransferMetrics implements OnModuleInit {
  private readonly db: Kysely<{ transfers: TransferRow }>;

  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
  ) {
    this.db = readModels as unknown as Kysely<{ transfers: TransferRow }>;
  }

  onModuleInit(): void {
    this.metrics.measure('ponte_transfers_open', async () => {
      const rows = await this.db
        .selectFrom('transfers')
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .where('unfinished', '=', 1)
        .groupBy('state')
        .execute();
      return OPEN.map((state) => ({
        labels: { state },
        value: Number(rows.find((row) => row.state === state)?.count ?? 0),
      }));
    });
  }
}
