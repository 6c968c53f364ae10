import type { Provider } from '@nestjs/common';
import { SECRETS } from '../webhooks-tokens.port';
import { CreateWebhookEndpointHandler } from './create-webhook-endpoint.command';
import { DeleteWebhookEndpointHandler } from './delete-webhook-endpoint.command';
import { DisableWebhookEndpointHandler } from './disable-webhook-endpoint.command';
import { ListWebhookEndpointsHandler } from './list-webhook-endpoints.query';
import { PingWebhookEndpointHandler } from './ping-webhook-endpoint.command';
import { randomSecrets } from './random.secrets.adapter';

/** The endpoints that partners register. */
export const ENDPOINT_PROVIDERS: Provider[] = [
  { provide: SECRETS, useValue: randomSecrets },
  CreateWebhookEndpointHandler,
  DeleteWebhookEndpointHandler,
  DisableWebhookEndpointHandler,
  PingWebhookEndpointHandler,
  ListWebhookEndpointsHandler,
];
