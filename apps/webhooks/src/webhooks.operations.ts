import type { Provider } from '@nestjs/common';
import { AttemptNotes } from './deliveries/attempt-notes.read-model';
import { DeleteOldDeliveries } from './deliveries/delete-old-deliveries.job';
import { DeliveryReadModel } from './deliveries/deliveries.read-model';
import { DeliveryRecords } from './deliveries/delivery-records.service';
import { FailingEndpoints } from './failing-endpoints/failing-endpoints.read-model';
import { GetWebhookDeliveryHandler } from './deliveries/get-webhook-delivery.query';
import { ListWebhookDeliveriesHandler } from './deliveries/list-webhook-deliveries.query';
import { ReplayWebhookDeliveryHandler } from './deliveries/replay-webhook-delivery.command';
import { ListAccountEventsHandler } from './event-log/list-account-events.query';
import { OutboxReader } from './event-log/outbox-reader.service';
import { ChangeWebhookFaultsHandler } from './faults/change-webhook-faults.command';
import { CheckWebhookSignatureHandler } from './faults/check-webhook-signature.query';

/** The providers of the operations on deliveries and the event log. */
export const OPERATIONS: readonly Provider[] = [
  AttemptNotes,
  DeleteOldDeliveries,
  DeliveryReadModel,
  DeliveryRecords,
  FailingEndpoints,
  OutboxReader,
  ChangeWebhookFaultsHandler,
  CheckWebhookSignatureHandler,
  GetWebhookDeliveryHandler,
  ListAccountEventsHandler,
  ListWebhookDeliveriesHandler,
  ReplayWebhookDeliveryHandler,
];
