import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Metrics } from '@ponte/observability';
import { METRICS, READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import type { CertificateRow } from '../certificates/certificates.read-model';
import type { NftTransferRow } from './nft-transfers.read-model';

const OPEN = ['created', 'pending'] as const;
const STATUSES = ['issued', 'active', 'transferring', 'transferred', 'failed'] as const;

interface Tables {
  readonly nft_transfers: NftTransferRow;
  readonly reward_certificates: CertificateRow;
}

/** Metrics of certificates and of open transfers. */
@Injectable()
export class NftTransferMetrics implements OnModuleInit {
  private readonly db: Kysely<Tables>;

  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    @Inject(READ_MODELS) readModels: Kysely<unknown>,
  ) {
    this.db = readModels as unknown as Kysely<Tables>;
  }

  onModuleInit(): void {
    this.metrics.measure('ponte_nft_transfers_open', async () => {
      const open = this.db.selectFrom('nft_transfers').where('unfinished', '=', 1);
      const rows = await open
        .select(({ fn }) => ['state', fn.countAll().as('count')])
        .groupBy('state')
        .execute();
      return OPEN.map((state) => ({
        labels: { state },
        value: Number(rows.find((row) => row.state === state)?.count ?? 0),
      }));
    });
    this.metrics.measure('ponte_reward_certificates', async () => {
      const each = this.db.selectFrom('reward_certificates').where('last', '=', 1);
      const rows = await each
        .select(({ fn }) => ['status', fn.countAll().as('count')])
        .groupBy('status')
        .execute();
      return STATUSES.map((status) => ({
        labels: { status },
        value: Number(rows.find((row) => row.status === status)?.count ?? 0),
      }));
    });
  }
}
