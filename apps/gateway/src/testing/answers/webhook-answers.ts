import {
  ChangeWebhookEndpoint,
  ChangeWebhookFaults,
  CheckWebhookSignature,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  GetWebhookDelivery,
  GetWebhookEndpoint,
  ListAccountEvents,
  ListWebhookDeliveries,
  ListWebhookEndpoints,
  PingWebhookEndpoint,
  ReplayWebhookDelivery,
  ReplayWebhookEvents,
  RotateWebhookSecret,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SAMPLE } from '../../api/samples';
import { deliveryRecord, endpointRecord, publishedEnvelope } from '../records/webhook-records';
import type { StubBus } from '../stub-bus';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

export function answerWebhooks(bus: StubBus, personalData: Pick<PersonalData, 'seal'>): void {
  bus.on(CreateWebhookEndpoint, async (payload) => ({
    ...endpointRecord(payload),
    secret: await personalData.seal(payload.endpointId, SECRET),
  }));
  bus.on(ListWebhookEndpoints, ({ accountId }) => ({ items: [endpointRecord({ accountId })], next: null }));
  bus.on(DeleteWebhookEndpoint, ({ endpointId }) => ({ deleted: endpointId === SAMPLE.endpointId }));
  bus.on(PingWebhookEndpoint, ({ endpointId }) =>
    endpointId === SAMPLE.endpointId ? { eventId: SAMPLE.eventId, queuedAt: SAMPLE.time } : null,
  );
  const known = <T>(endpointId: string, answer: T): T | null => (endpointId === SAMPLE.endpointId ? answer : null);
  bus.on(GetWebhookEndpoint, ({ accountId, endpointId }) => known(endpointId, endpointRecord({ accountId })));
  bus.on(ChangeWebhookEndpoint, ({ accountId, endpointId, description }) =>
    known(endpointId, endpointRecord({ accountId, description })),
  );
  bus.on(RotateWebhookSecret, async ({ accountId, endpointId }) =>
    known(endpointId, {
      ...endpointRecord({ accountId }),
      secret: await personalData.seal(endpointId, SECRET),
    }),
  );
  bus.on(ListWebhookDeliveries, ({ accountId, endpointId }) =>
    known(endpointId, { items: [deliveryRecord({ accountId })], next: null }),
  );
  const delivery = async ({ accountId, deliveryId }: { accountId: string; deliveryId: string }) => {
    if (deliveryId !== SAMPLE.deliveryId) return null;
    const record = deliveryRecord({ accountId });
    const response = await personalData.seal(accountId, 'received');
    return { ...record, attempts: record.attempts.map((attempt) => ({ ...attempt, response })) };
  };
  bus.on(GetWebhookDelivery, delivery);
  bus.on(ReplayWebhookDelivery, delivery);
  bus.on(ReplayWebhookEvents, ({ endpointId, from, to, eventTypes }) =>
    known(endpointId, { replayId: SAMPLE.eventId, from, to, eventTypes, missedOnly: false, requestedAt: SAMPLE.time }),
  );
  bus.on(ChangeWebhookFaults, ({ endpointId, faults: { respond500Minutes, ...faults } }) =>
    known(endpointId, { ...faults, respond500Until: respond500Minutes > 0 ? SAMPLE.later : null }),
  );
  bus.on(CheckWebhookSignature, ({ endpointId }) =>
    known(endpointId, { checks: [{ part: 'id', result: 'correct' as const, message: 'as it must be' }] }),
  );
  bus.on(ListAccountEvents, ({ after }) =>
    after === 7
      ? { expired: true as const, firstKept: 100 }
      : {
          expired: false as const,
          events: after === 'end' ? [] : [{ number: 42, envelope: publishedEnvelope() }],
          next: 42,
          more: false,
        },
  );
}
