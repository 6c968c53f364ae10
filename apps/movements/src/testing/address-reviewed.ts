import type { AddressSubject } from '@ponte/contracts';
import { AddressReviewed, AddressReviewOpened } from '@ponte/contracts';
import type { EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { freshId } from '@ponte/testing';
import { OWNER } from './simulated-services';

/** The event that the ledger records when a target is to be reviewed. */
export const addressReviewOpened = (subject: AddressSubject, address: string): EventToAppend =>
  toAppend((openedAt) => {
    const about = { reviewId: subject.id, subject, accountId: OWNER };
    return new AddressReviewOpened({ ...about, address, hits: [], openedAt });
  });

/** The event that the ledger records when two staff members have decided about an address. */
export const addressReviewed = (subject: AddressSubject, outcome: 'clear' | 'refused'): EventToAppend =>
  toAppend(
    (reviewedAt) =>
      new AddressReviewed({
        reviewId: subject.id,
        subject,
        accountId: OWNER,
        verdict: outcome === 'clear' ? 'false-positive' : 'true-match',
        reason: 'sealed:v1:x',
        staffId: 'staff',
        outcome,
        reviewedAt,
      }),
  );

function toAppend(eventAt: (time: string) => AddressReviewed | AddressReviewOpened): EventToAppend {
  const [commandId, occurredAt] = [derivedId('fresh', freshId()), new Date().toISOString()];
  const { type, data } = eventAt(occurredAt);
  const meta = { commandId, index: 0, count: 1, occurredAt, correlationId: commandId };
  return { id: eventId(commandId, 0), type, version: 1, data, meta };
}
