import type { PublishedEnvelope, WebhookEventType } from '@ponte/contracts';
import {
  DeliveredAtOnce,
  DeliveryAttemptFailed,
  DeliveryScheduled,
  DeliveryStarted,
  DeliverySucceeded,
  EnvelopePublished,
} from '@ponte/contracts';
import type { Fixtures, Life } from './fixtures';
import { step } from './fixtures';

/** Percentage of webhooks whose first attempt the receiver refuses. */
const SLOW_RECEIVERS = 4;
/** The amounts that each order sells and buys. */
export const AMOUNT = '100.00';
export const TOKENS = '98.500000000000000000';

interface Report {
  readonly parentId: string;
  readonly accountId: string;
  readonly orderId: string;
  readonly type: WebhookEventType;
  readonly sequence: number;
}

/** The outbox entry and its delivery to the partner's endpoint. */
export function* reported(fixtures: Fixtures, { parentId, accountId, orderId, type, sequence }: Report): Life {
  const eventId = fixtures.seeded.id('published', orderId, sequence);
  const envelope: PublishedEnvelope = {
    eventId,
    eventType: type,
    accountId,
    resourceType: 'order',
    resourceId: orderId,
    sequence,
    previousState: sequence === 1 ? null : 'created',
    occurredAt: fixtures.now(),
    apiVersion: 'v1',
    payload: {
      'order-id': orderId,
      'account-id': accountId,
      'source-asset': 'fiat/brl',
      'target-asset': 'eth-base/brlv',
      'source-amount': AMOUNT,
      'target-amount': TOKENS,
    },
  };
  const sourcePosition = '1';
  yield step(
    `outbox-${parentId}`,
    new EnvelopePublished({ first: null, entries: [{ envelope, sourcePosition }], sourcePosition }),
  );
  const endpointId = fixtures.endpointOf(parentId);
  const deliveryId = fixtures.seeded.id('delivery', eventId);
  const stream = `delivery-${deliveryId}`;
  const ids = { deliveryId, endpointId, accountId: parentId };
  const now = fixtures.now();
  if (!fixtures.seeded.chance(SLOW_RECEIVERS)) {
    yield step(
      stream,
      new DeliveredAtOnce({
        ...ids,
        eventId,
        eventType: type,
        sourcePosition,
        correlationId: orderId,
        scheduledAt: now,
        succeededAt: now,
        httpStatus: 200,
      }),
    );
    return;
  }
  const begun = [
    new DeliveryScheduled({ ...ids, envelope, dueAt: now, after: null, correlationId: orderId }),
    new DeliveryStarted({ deliveryId, attempt: 1, startedAt: now }),
  ];
  yield step(
    stream,
    ...begun,
    new DeliveryAttemptFailed({
      ...ids,
      attempt: 1,
      failedAt: now,
      httpStatus: 503,
      reason: 'http-status',
      nextAt: now,
    }),
  );
  yield step(stream, new DeliveryStarted({ deliveryId, attempt: 2, startedAt: now }));
  yield step(stream, new DeliverySucceeded({ ...ids, attempt: 2, succeededAt: now, httpStatus: 200 }));
}
