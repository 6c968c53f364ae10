import type { OnModuleInit } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Metrics } from '@ponte/observability';
import { METRICS } from '@ponte/nest';
import { CertificateReadModel } from '../certificates/certificates.read-model';
import { NftTransferReadModel } from './nft-transfers.read-model';

const OPEN = ['created', 'pending'] as const;
const STATUSES = ['issued', 'active', 'transferring', 'transferred', 'failed'] as const;

/** Metrics of certificates and of open transfers. */
@Injectable()
export class NftTransferMetrics implements OnModuleInit {
  constructor(
    @Inject(METRICS) private readonly metrics: Metrics,
    private readonly transfers: NftTransferReadModel,
    private readonly certificates: CertificateReadModel,
  ) {}

  onModuleInit(): void {
    this.metrics.measure('ponte_nft_transfers_open', async () => {
      const open = this.transfers.table.rows.where('unfinished', '=', 1);
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
      const each = this.certificates.table.rows.where('last', '=', 1);
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
