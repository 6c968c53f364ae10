import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { WEBHOOKS_REBUILDABLE } from './deliveries/deliveries-rebuild.adapter';
import { LOG_READERS } from './log-readers';
import { WebhooksModule } from './webhooks.module';

runService({
  service: 'webhooks',
  module: () => WebhooksModule,
  readModels: WEBHOOKS_REBUILDABLE,
  relays: LOG_READERS,
});
