import type { AddressSubject } from '@ponte/contracts';
import { AddressReviewed } from '@ponte/contracts';
import type { EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { freshId } from '@ponte/testing';
import { OWNER } from './simulated-services';

/** The event that the ledger records when two staff members have decided about an address. */
export function addressReviewed(subject: AddressSubject, outcome: 'clear' | 'refused'): EventToAppend {
  const [commandId, occurredAt] = [derivedId('fresh', freshId()), new Date().toISOString()];
  const { type, data } = new AddressReviewed({
    reviewId: subject.id,
    subject,
    accountId: OWNER,
    verdict: outcome === 'clear' ? 'false-positive' : 'true-match',
    reason: 'sealed:v1:x',
    staffId: 'staff',
    outcome,
    reviewedAt: occurredAt,
  });
  const meta = { commandId, index: 0, count: 1, occurredAt, correlationId: commandId };
  return { id: eventId(commandId, 0), type, version: 1, data, meta };
}
