import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { WEBHOOKS_VIEWS } from './deliveries/deliveries-rebuild.adapter';
import { LOG_READERS } from './log-readers';
import { WebhooksModule } from './webhooks.module';

runService({ service: 'webhooks', module: () => WebhooksModule, views: WEBHOOKS_VIEWS, relays: LOG_READERS });
