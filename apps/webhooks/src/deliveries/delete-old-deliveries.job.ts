import type { Clock } from '@ponte/kernel';
import { addSeconds, isoTime } from '@ponte/kernel';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import type { DeliveriesView } from './deliveries.read-model';
import type { JournaledStore } from '../journal/journaled-store';
import type { AttemptNotes } from './attempt-notes';

/** How often it is looked for what is older than 90 days, in milliseconds. */
export const DELETE_EVERY_MS = 3_600_000;

/**
 * Deletes what is kept for 90 days (business time): rows of deliveries that have ended, and the responses of
 * receivers.
 */
export class DeleteOldDeliveries {
  constructor(
    private readonly view: Pick<DeliveriesView, 'deleteEndedBefore'>,
    private readonly notes: Pick<AttemptNotes, 'deleteBefore'>,
    private readonly journal: Pick<JournaledStore, 'deleteBefore'>,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const oldest = addSeconds(isoTime(this.clock.now()), -LOG_RETENTION_SECONDS);
    await this.view.deleteEndedBefore(oldest);
    await this.notes.deleteBefore(oldest);
    await this.journal.deleteBefore(oldest);
  }
}
