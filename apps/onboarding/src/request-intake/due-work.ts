import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { addSeconds, derivedId, isoTime, lruCache } from '@ponte/kernel';
import { CLOCK, IDS, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { DELETION_GRACE_SECONDS } from '../evidence-file/evidence-file.decider';
import type { ReviewQueue } from '../account-request/account-requests-table.port';
import { REVIEW_QUEUE } from '../account-request/account-requests-table.port';
import type { UnreferencedFiles } from '../evidence-file/evidence-files-table.port';
import { UNREFERENCED_FILES } from '../evidence-file/evidence-files-table.port';
import type { UnsettledReservations } from '../reservation/unsettled-reservations.port';
import { UNSETTLED_RESERVATIONS } from '../reservation/unsettled-reservations.port';
import { AdvanceRequestCommand } from './advance-request.command';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { SettleReservationCommand } from '../reservation/settle-reservation.command';

/** The largest number of items of each kind per pass; the rest is left to the next pass. */
const BATCH = 200;
/** How many due ids are read to find a batch of ids that are not resting. */
const READ = 5_000;
/**
 * Work that is still due after a pass is skipped for this time, so that requests that wait for a vendor do not crowd
 * out the others.
 */
const REST_MS = 30_000;
/** A create request that takes longer than this has long lost its caller and passed its deadline. */
const RESERVATION_AGE_MS = 10 * 60_000;

/** Does everything in onboarding that is due by time. Runs on one process at a time. */
@Injectable()
export class DueWork {
  /** When the rest of each id ends. */
  private readonly resting = lruCache<string, number>(2 * READ);

  constructor(
    private readonly commands: CommandBus,
    private readonly files: EvidenceFiles,
    @Inject(REVIEW_QUEUE) private readonly queue: ReviewQueue,
    @Inject(UNREFERENCED_FILES) private readonly unreferenced: UnreferencedFiles,
    @Inject(UNSETTLED_RESERVATIONS) private readonly reservations: UnsettledReservations,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Makes one pass. */
  async run(signal: AbortSignal): Promise<void> {
    const context = systemContext(this.ids, 'onboarding-due-work');
    const own = (id: string) => ({ ...context, commandId: derivedId('due-work', context.commandId, id) });
    const now = this.clock.now();
    const at = isoTime(now);
    const due = (await this.queue.due(at, READ)).filter((id) => (this.resting.get(id) ?? 0) <= now).slice(0, BATCH);
    for (const id of due) {
      this.resting.set(id, now + REST_MS);
      await this.tried(signal, id, context, () =>
        this.commands.execute(new AdvanceRequestCommand({ requestId: id }, own(id))),
      );
    }
    for (const { id } of await this.reservations.older(isoTime(now - RESERVATION_AGE_MS), BATCH)) {
      await this.tried(signal, id, context, () =>
        this.commands.execute(new SettleReservationCommand({ reservationId: id }, own(id))),
      );
    }
    for (const id of await this.unreferenced.expired(addSeconds(at, -DELETION_GRACE_SECONDS), BATCH)) {
      await this.tried(signal, id, context, () =>
        this.files.execute(id, (when) => ({ kind: 'delete-unreferenced', at: when }), own(id)),
      );
    }
  }

  /** A failure of one item must not stop the others. */
  private async tried(
    signal: AbortSignal,
    id: string,
    context: RequestContext,
    work: () => Promise<unknown>,
  ): Promise<void> {
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      this.logger.warn({ ...logged(context), id, error: safeError(error) }, 'due work failed; it will be retried');
    }
  }
}
