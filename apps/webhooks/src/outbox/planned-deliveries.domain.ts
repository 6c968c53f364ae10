import type { PublishedEnvelope } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import { receivesEvent } from '../endpoints/account-endpoints';
import { deliveryIdOf } from '../dispatch/deliveries';
import type { Publication } from '../publication/publication.domain';
import { publishedEventId } from '../publication/publication.domain';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import type { Endpoint } from '../endpoints/endpoints.state';

/** The clocks of processes differ slightly; an event after the creation of the endpoint must not count as older. */
const APART_SECONDS = 60;

/** Whether the endpoint or the event log is younger. Only a reader that begins far back finds such events. */
export function isTooOld({ occurredAt }: PublishedEnvelope, { createdAt }: Endpoint, now: string): boolean {
  const kept = addSeconds(now, -LOG_RETENTION_SECONDS);
  return occurredAt < kept || addSeconds(occurredAt, APART_SECONDS) < createdAt;
}

/** The delivery of the last event about the same resource that this endpoint receives. */
export function precedingDelivery({ audience, earlier }: Publication, endpoint: Endpoint): string | null {
  const last = earlier.findLast(({ eventType }) => receivesEvent(endpoint, eventType));
  return last ? deliveryIdOf(publishedEventId(last, audience), endpoint.endpointId) : null;
}
