import { Controller } from '@nestjs/common';
import * as contracts from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { GetWebhookDeliveryQuery } from './deliveries/get-webhook-delivery.query';
import { ListWebhookDeliveriesQuery } from './deliveries/list-webhook-deliveries.query';
import { ReplayWebhookDeliveryCommand } from './deliveries/replay-webhook-delivery.command';
import { ChangeWebhookEndpointCommand } from './endpoints/change-webhook-endpoint.command';
import { CreateWebhookEndpointCommand } from './endpoints/create-webhook-endpoint.command';
import { DeleteWebhookEndpointCommand } from './endpoints/delete-webhook-endpoint.command';
import { GetWebhookEndpointQuery } from './endpoints/get-webhook-endpoint.query';
import { ListWebhookEndpointsQuery } from './endpoints/list-webhook-endpoints.query';
import { PingWebhookEndpointCommand } from './endpoints/ping-webhook-endpoint.command';
import { ReplayWebhookEventsCommand } from './endpoints/replay-webhook-events.command';
import { RotateWebhookSecretCommand } from './endpoints/rotate-webhook-secret.command';
import { ListAccountEventsQuery } from './event-log/list-account-events.query';
import { ChangeWebhookFaultsCommand } from './faults/change-webhook-faults.command';
import { CheckWebhookSignatureQuery } from './faults/check-webhook-signature.query';

@Controller()
export class WebhooksMessages extends forwardRequests(
  [contracts.CreateWebhookEndpoint, CreateWebhookEndpointCommand],
  [contracts.DeleteWebhookEndpoint, DeleteWebhookEndpointCommand],
  [contracts.PingWebhookEndpoint, PingWebhookEndpointCommand],
  [contracts.ListWebhookEndpoints, ListWebhookEndpointsQuery],
  [contracts.ChangeWebhookEndpoint, ChangeWebhookEndpointCommand],
  [contracts.RotateWebhookSecret, RotateWebhookSecretCommand],
  [contracts.ReplayWebhookDelivery, ReplayWebhookDeliveryCommand],
  [contracts.ReplayWebhookEvents, ReplayWebhookEventsCommand],
  [contracts.ChangeWebhookFaults, ChangeWebhookFaultsCommand],
  [contracts.GetWebhookEndpoint, GetWebhookEndpointQuery],
  [contracts.ListWebhookDeliveries, ListWebhookDeliveriesQuery],
  [contracts.GetWebhookDelivery, GetWebhookDeliveryQuery],
  [contracts.CheckWebhookSignature, CheckWebhookSignatureQuery],
  [contracts.ListAccountEvents, ListAccountEventsQuery],
) {}
