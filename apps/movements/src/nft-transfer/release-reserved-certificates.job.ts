import type { OnApplicationBootstrap } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { LeasedJobs, each } from '@ponte/concurrency';
import type { Timers } from '@ponte/concurrency';
import type { Lease, RequestContext } from '@ponte/event-sourcing';
import { logged, systemContext } from '@ponte/event-sourcing';
import type { Ids } from '@ponte/kernel';
import { IDS, LEASE, LOGGER, TIMERS } from '@ponte/nest';
import type { Logger } from 'pino';
import { CertificateReadModel } from '../certificates/certificates.read-model';
import { OpenedNftTransfers } from './open-nft-transfer.command';
import { ReleasedCertificates } from './release-certificate.command';

/** Interval between two passes: long, because only a parked event leaves anything to do. */
const EVERY_MS = 3_600_000;
/** Certificates per page. */
const AT_ONCE = 1_000;

/**
 * Releases the certificates that failed transfers still reserve, and creates the transfers that others are reserved
 * for, or releases these too if that is not possible, because the policies have not handled the events: they were
 * parked or lost. Runs on one process at a time.
 */
@Injectable()
export class ReleaseReservedCertificates implements OnApplicationBootstrap {
  private readonly jobs: LeasedJobs;

  constructor(
    private readonly released: ReleasedCertificates,
    private readonly opened: OpenedNftTransfers,
    private readonly certificates: CertificateReadModel,
    @Inject(TIMERS) timers: Timers,
    @Inject(LEASE) lease: Lease,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.jobs = new LeasedJobs(lease, 'movements-release-certificates', timers);
  }

  onApplicationBootstrap(): void {
    this.jobs.every({
      name: 'movements-release-reserved-certificates',
      everyMs: EVERY_MS,
      run: (_, signal) => this.releaseAll(systemContext(this.ids, 'release-reserved-certificates'), signal),
    });
  }

  private async releaseAll(context: RequestContext, signal: AbortSignal): Promise<void> {
    for (let after = ''; !signal.aborted;) {
      const page = await this.reservedAfter(after);
      await each(
        page,
        async ({ certificate_id }) => {
          await this.released.ofFailure(certificate_id, context);
          await this.opened.createReserved(certificate_id, context);
        },
        (error, { certificate_id: certificateId }) => {
          this.logger.warn(
            { ...logged(context), err: error, certificateId },
            'a certificate that is reserved could not be released or transferred; the next run retries',
          );
        },
      );
      const last = page.at(-1);
      if (page.length < AT_ONCE || !last) return;
      after = last.id;
    }
  }

  private reservedAfter(id: string) {
    return this.certificates.table.rows
      .select(['id', 'certificate_id'])
      .where('last', '=', 1)
      .where('status', '=', 'transferring')
      .where('id', '>', id)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
  }
}
