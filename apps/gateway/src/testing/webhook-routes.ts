import { SAMPLE } from '../api/samples';
import { WebhookFaultsEnvelopeDto } from '../api/sandbox/webhook-faults.dto';
import { WebhookDeliveriesDto, WebhookDeliveryEnvelopeDto } from '../api/webhook-endpoints/webhook-delivery.dto';
import {
  NewWebhookEndpointEnvelopeDto,
  PingEnvelopeDto,
  WebhookEndpointEnvelopeDto,
  WebhookEndpointsDto,
} from '../api/webhook-endpoints/webhook-endpoint.dto';
import { WebhookReplayEnvelopeDto } from '../api/webhook-endpoints/webhook-replay.dto';
import { AccountEventsDto } from '../api/webhook-events/account-event.dto';
import type { RouteCase } from './route-case';
import { get, of, patch, post } from './route-case';

const ENDPOINT = { url: 'https://partner.example/hooks', 'event-types': ['order-completed'] };

/** Routes for webhook endpoints, deliveries and the event log. */
export const WEBHOOK_ROUTES: readonly RouteCase[] = [
  post('create-webhook-endpoint', 'account', of('/webhook-endpoints'), ENDPOINT, NewWebhookEndpointEnvelopeDto),
  get('list-webhook-endpoints', 'account', of('/webhook-endpoints'), WebhookEndpointsDto),
  {
    id: 'delete-webhook-endpoint',
    method: 'DELETE',
    url: of(`/webhook-endpoints/${SAMPLE.endpointId}`),
    reach: 'account',
    status: 204,
    answer: null,
  },
  post(
    'ping-webhook-endpoint',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/ping`),
    undefined,
    PingEnvelopeDto,
    202,
  ),
  get('get-webhook-endpoint', 'account', of(`/webhook-endpoints/${SAMPLE.endpointId}`), WebhookEndpointEnvelopeDto),
  patch(
    'change-webhook-endpoint',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}`),
    { description: 'Orders', 'event-types': ['*'], enabled: true, 'replay-missed': true },
    WebhookEndpointEnvelopeDto,
  ),
  post(
    'rotate-webhook-secret',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/rotate-secret`),
    undefined,
    NewWebhookEndpointEnvelopeDto,
  ),
  post(
    'replay-webhook-events',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/replay`),
    { from: SAMPLE.time, to: SAMPLE.later },
    WebhookReplayEnvelopeDto,
    202,
  ),
  get(
    'list-webhook-deliveries',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/deliveries`),
    WebhookDeliveriesDto,
  ),
  get(
    'get-webhook-delivery',
    'account',
    of(`/webhook-endpoints/deliveries/${SAMPLE.deliveryId}`),
    WebhookDeliveryEnvelopeDto,
  ),
  post(
    'replay-webhook-delivery',
    'account',
    of(`/webhook-endpoints/deliveries/${SAMPLE.deliveryId}/replay`),
    undefined,
    WebhookDeliveryEnvelopeDto,
    202,
  ),
  get('list-account-events', 'account', of('/events'), AccountEventsDto),
  post(
    'change-webhook-faults',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/faults`),
    { duplicate: true },
    WebhookFaultsEnvelopeDto,
  ),
];

/** Operations with a streamed response, which have their own tests. */
export const STREAMS: readonly RouteCase[] = [
  {
    id: 'stream-account-events',
    method: 'GET',
    url: of('/events/stream'),
    reach: 'account',
    status: 200,
    answer: null,
  },
];
