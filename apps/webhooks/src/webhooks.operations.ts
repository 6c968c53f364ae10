import type { Provider } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Checkpoints, EventStore, PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import {
  CHECKPOINTS,
  CLOCK,
  EVENT_STORE,
  METRICS,
  PERSONAL_DATA,
  SYSTEM_CLOCK,
  VIEW_CHECKPOINTS,
  VIEWS,
} from '@ponte/nest';
import { Sending } from './dispatch/sending';
import { SignedRequests } from './dispatch/signed-request';
import type { OutgoingHttp } from './outgoing-http/outgoing-http.port';
import { UndeliveredWatermark } from './outbox/undelivered-watermark';
import { OUTGOING_HTTP } from './webhooks-tokens.port';
import { AttemptNotes } from './deliveries/attempt-notes';
import { ChangeWebhookEndpointHandler } from './endpoints/change-webhook-endpoint.command';
import { ChangeWebhookFaultsHandler } from './faults/change-webhook-faults.command';
import { CheckWebhookSignatureHandler } from './faults/check-webhook-signature.query';
import { DeleteOldDeliveries } from './deliveries/delete-old-deliveries.job';
import { DeliveryRecords } from './deliveries/delivery-records';
import { EndpointTargets } from './endpoints/endpoint-targets';
import { GetWebhookDeliveryHandler } from './deliveries/get-webhook-delivery.query';
import { GetWebhookEndpointHandler } from './endpoints/get-webhook-endpoint.query';
import { ListAccountEventsHandler } from './event-log/list-account-events.query';
import { ListWebhookDeliveriesHandler } from './deliveries/list-webhook-deliveries.query';
import { JournalPlaces } from './journal/journal-places';
import { JournaledStore } from './journal/journaled-store';
import { NoteFailingEndpointHandler } from './endpoints/note-failing-endpoint.command';
import { OutboxReader } from './event-log/outbox-reader';
import { ReplayWebhookDeliveryHandler } from './deliveries/replay-webhook-delivery.command';
import { ReplayWebhookEventsHandler } from './endpoints/replay-webhook-events.command';
import { RotateWebhookSecretHandler } from './endpoints/rotate-webhook-secret.command';
import type { WebhooksSchema } from './deliveries/deliveries.read-model';
import { DeliveriesView } from './deliveries/deliveries.read-model';

/** What partners do with endpoints, deliveries and the event log, and what that needs. */
export const OPERATIONS: readonly Provider[] = [
  {
    provide: AttemptNotes,
    useFactory: (views: Kysely<unknown>, personalData: PersonalData) =>
      new AttemptNotes(views as Kysely<WebhooksSchema>, personalData),
    inject: [VIEWS, PERSONAL_DATA],
  },
  {
    provide: JournaledStore,
    useFactory: (store: EventStore, views: Kysely<unknown>) =>
      new JournaledStore(store, views as Kysely<WebhooksSchema>),
    inject: [EVENT_STORE, VIEWS],
  },
  {
    provide: JournalPlaces,
    useFactory: (kept: Checkpoints, beside: Checkpoints, store: EventStore) => new JournalPlaces(kept, beside, store),
    inject: [CHECKPOINTS, VIEW_CHECKPOINTS, EVENT_STORE],
  },
  {
    provide: DeliveryRecords,
    useFactory: (store: JournaledStore, notes: AttemptNotes) => new DeliveryRecords(store, notes),
    inject: [JournaledStore, AttemptNotes],
  },
  { provide: OutboxReader, useFactory: (store: EventStore) => new OutboxReader(store), inject: [EVENT_STORE] },
  {
    provide: DeleteOldDeliveries,
    useFactory: (view: DeliveriesView, notes: AttemptNotes, journal: JournaledStore, clock: Clock) =>
      new DeleteOldDeliveries(view, notes, journal, clock),
    inject: [DeliveriesView, AttemptNotes, JournaledStore, CLOCK],
  },
  {
    provide: Sending,
    useFactory: (
      personalData: PersonalData,
      http: OutgoingHttp,
      notes: AttemptNotes,
      systemClock: Clock,
      clock: Clock,
      metrics: Metrics,
    ) => new Sending(new SignedRequests(personalData, systemClock, clock), http, notes, clock, metrics),
    inject: [PERSONAL_DATA, OUTGOING_HTTP, AttemptNotes, SYSTEM_CLOCK, CLOCK, METRICS],
  },
  {
    provide: UndeliveredWatermark,
    useFactory: (store: EventStore) => new UndeliveredWatermark(store),
    inject: [EVENT_STORE],
  },
  EndpointTargets,
  NoteFailingEndpointHandler,
  ChangeWebhookEndpointHandler,
  ChangeWebhookFaultsHandler,
  CheckWebhookSignatureHandler,
  GetWebhookDeliveryHandler,
  GetWebhookEndpointHandler,
  ListAccountEventsHandler,
  ListWebhookDeliveriesHandler,
  ReplayWebhookDeliveryHandler,
  ReplayWebhookEventsHandler,
  RotateWebhookSecretHandler,
];
