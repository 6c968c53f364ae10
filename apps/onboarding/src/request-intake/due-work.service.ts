import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { each } from '@ponte/concurrency';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { addSeconds, derivedId, isoTime } from '@ponte/kernel';
import { CLOCK, IDS, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { DELETION_GRACE_SECONDS } from '../evidence-file/evidence-file.decider';
import { ReviewQueue } from '../review/review-queue.read-model';
import { EvidenceFileReadModel } from '../evidence-file/evidence-files.read-model';
import { UnsettledReservations } from '../reservation/unsettled-reservations.read-model';
import { AdvanceRequestCommand } from './advance-request.command';
import { DueTurns } from './due-turns';
import { EvidenceFiles } from '../evidence-file/evidence-files.repository';
import { SettleReservationCommand } from '../reservation/settle-reservation.command';

/** The largest number of items of each kind per pass; the rest is left to the next pass. */
const BATCH = 200;
/** A create request that takes longer than this has long lost its caller and passed its deadline. */
const RESERVATION_AGE_MS = 10 * 60_000;

/**
 * Does everything in onboarding that is due by time, except screening (`DueScreenings`), so that nothing here waits for
 * a vendor. Runs on one process at a time.
 */
@Injectable()
export class DueWork {
  private readonly turns: DueTurns;

  constructor(
    private readonly commands: CommandBus,
    private readonly files: EvidenceFiles,
    queue: ReviewQueue,
    private readonly unreferenced: EvidenceFileReadModel,
    private readonly reservations: UnsettledReservations,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.turns = new DueTurns(queue, 'other');
  }

  /** Makes one pass. */
  async run(signal: AbortSignal): Promise<void> {
    const context = systemContext(this.ids, 'onboarding-due-work');
    const own = (id: string) => ({ ...context, commandId: derivedId('due-work', context.commandId, id) });
    const now = this.clock.now();
    const at = isoTime(now);
    await each((await this.turns.next(now)).slice(0, BATCH), async (due) => {
      this.turns.begin(due, now);
      await this.tried(signal, due.id, context, () =>
        this.commands.execute(new AdvanceRequestCommand({ requestId: due.id }, own(due.id))),
      );
      this.turns.end(due, this.clock.now());
    });
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
