import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { addSeconds, isoTime } from '@ponte/kernel';
import { CLOCK, CLOCK_SKEW } from '@ponte/nest';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import { DeliveryReadModel } from './deliveries.read-model';
import { JournaledStore } from '../journal/journaled-store';
import { AttemptNotes } from './attempt-notes.read-model';

/** How often data older than 90 days is deleted, in milliseconds. */
export const DELETE_EVERY_MS = 3_600_000;

/**
 * Deletes everything older than 90 days (business time): rows of deliveries that have ended, attempt notes with the
 * receivers' responses, and journal events. Does nothing while the clock of the process is wrong.
 */
@Injectable()
export class DeleteOldDeliveries {
  constructor(
    private readonly readModel: DeliveryReadModel,
    private readonly notes: AttemptNotes,
    private readonly journal: JournaledStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLOCK_SKEW) private readonly clockSkew: { readonly isSane: boolean },
  ) {}

  async run(): Promise<void> {
    if (!this.clockSkew.isSane) return;
    const oldest = addSeconds(isoTime(this.clock.now()), -LOG_RETENTION_SECONDS);
    await this.readModel.deleteEndedBefore(oldest);
    await this.notes.deleteBefore(oldest);
    await this.journal.deleteBefore(oldest);
  }
}
