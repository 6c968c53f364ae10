import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { addSeconds, isoTime } from '@ponte/kernel';
import { CLOCK, CLOCK_SKEW } from '@ponte/nest';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import { AttemptNotes } from './attempt-notes.read-model';
import { OldDeliveries } from '../journal/old-deliveries.service';

/** How often data older than 90 days is deleted, in milliseconds. */
export const DELETE_EVERY_MS = 3_600_000;

/**
 * Deletes everything older than 90 days (business time): deliveries that have ended, with their rows and their journal
 * events, and attempt notes with the receivers' responses. Does nothing while the clock of the process is wrong.
 */
@Injectable()
export class DeleteOldDeliveries {
  constructor(
    private readonly deliveries: OldDeliveries,
    private readonly notes: AttemptNotes,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CLOCK_SKEW) private readonly clockSkew: { readonly isSane: boolean },
  ) {}

  /** Stops after the current batch when the signal aborts. */
  async run(signal?: AbortSignal): Promise<void> {
    if (!this.clockSkew.isSane) return;
    const oldest = addSeconds(isoTime(this.clock.now()), -LOG_RETENTION_SECONDS);
    await this.deliveries.deleteBefore(oldest, signal);
    await this.notes.deleteBefore(oldest, signal);
  }
}
