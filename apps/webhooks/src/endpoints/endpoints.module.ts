import type { Provider } from '@nestjs/common';
import { SECRETS } from './secrets.port';
import { AccountEndpoints } from './account-endpoints.service';
import { ChangeWebhookEndpointHandler } from './change-webhook-endpoint.command';
import { CreateWebhookEndpointHandler } from './create-webhook-endpoint.command';
import { DeleteWebhookEndpointHandler } from './delete-webhook-endpoint.command';
import { DisableWebhookEndpointHandler } from './disable-webhook-endpoint.command';
import { EndpointTargets } from './endpoint-targets.service';
import { GetWebhookEndpointHandler } from './get-webhook-endpoint.query';
import { ListWebhookEndpointsHandler } from './list-webhook-endpoints.query';
import { NoteFailingEndpointHandler } from './note-failing-endpoint.command';
import { PingWebhookEndpointHandler } from './ping-webhook-endpoint.command';
import { randomSecrets } from './random.secrets.adapter';
import { ReplayWebhookEventsHandler } from './replay-webhook-events.command';
import { RotateWebhookSecretHandler } from './rotate-webhook-secret.command';

/** The providers for the endpoints that partners register. */
export const ENDPOINT_PROVIDERS: Provider[] = [
  { provide: SECRETS, useValue: randomSecrets },
  AccountEndpoints,
  EndpointTargets,
  ChangeWebhookEndpointHandler,
  CreateWebhookEndpointHandler,
  DeleteWebhookEndpointHandler,
  DisableWebhookEndpointHandler,
  GetWebhookEndpointHandler,
  ListWebhookEndpointsHandler,
  NoteFailingEndpointHandler,
  PingWebhookEndpointHandler,
  ReplayWebhookEventsHandler,
  RotateWebhookSecretHandler,
];
