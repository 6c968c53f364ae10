import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { WEBHOOKS_VIEWS } from './deliveries/deliveries-rebuild.adapter';
import { OUTBOX_READER } from './outbox/outbox-projector';
import { WebhooksModule } from './webhooks.module';

runService({ service: 'webhooks', module: () => WebhooksModule, views: WEBHOOKS_VIEWS, relays: [OUTBOX_READER] });
