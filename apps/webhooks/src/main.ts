import 'reflect-metadata';
import { runService } from '@ponte/nest';
import { WebhooksModule } from './webhooks.module';

runService({ service: 'webhooks', module: () => WebhooksModule });
