import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Kysely } from 'kysely';
import pino from 'pino';
import type { EnvelopePublished, OutboxEntry, WebhookEventType } from '@ponte/contracts';
import { CreateWebhookEndpoint, outboxEntries } from '@ponte/contracts';
import type { DomainEvent, EventClass, RequestContext } from '@ponte/event-sourcing';
import { toAppend } from '@ponte/event-sourcing';
import { derivedId, isoTime } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, openEmbeddedEngines } from '@ponte/nest';
import type { WebhooksSchema } from '../views/deliveries';
import { WebhooksModule } from '../webhooks.module';
import { CHILD } from './facts';
import type { Receiver } from './receiver';

let made = 0;
/** Of a wish that was never made before. */
export const context = (): RequestContext => ({ commandId: derivedId('test', String(made += 1)), correlationId: 'request-1' });

/** The service over embedded engines in a folder, with business time that the test moves. */
export class Rig {
  /** Business time ahead of the machine's. */
  static aheadMs = 0;
  private constructor(readonly engines: Engines, readonly service: INestMicroservice) {}

  static async start(dataDirectory: string): Promise<Rig> {
    const runtime = { environment: 'sandbox', dataDirectory, port: 0, logLevel: 'silent', embeddedByName: true, failpoint: null } as const;
    const opened = await openEmbeddedEngines(runtime, 'webhooks', { logger: pino({ level: 'silent' }) });
    const engines: Engines = { ...opened, clock: { now: () => opened.systemClock.now() + Rig.aheadMs } };
    const service = await NestFactory.createMicroservice(
      { module: class Root {}, imports: [EnginesModule.forRoot(engines), WebhooksModule] },
      { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false });
    await service.listen();
    engines.timers.start();
    return new Rig(engines, service);
  }

  async stop(): Promise<void> {
    await this.engines.timers.stop();
    await this.service.close();
    await this.engines.close();
  }

  /** As after `kill -9`: nothing is told to end, the log is as it stands. */
  async crash(): Promise<void> {
    await this.engines.store.close();
    await this.stop().catch(() => undefined);
  }

  async endpoint(receiver: Receiver, path: string, accountId = CHILD, eventTypes: readonly WebhookEventType[] | null = null): Promise<string> {
    const endpointId = derivedId('endpoint', path, String(made += 1));
    const endpoint = await this.engines.bus.request(CreateWebhookEndpoint, { accountId, endpointId, url: receiver.url(path), eventTypes }, context());
    receiver.secrets.set(path, endpoint.secret);
    return endpointId;
  }

  async append(stream: string, expected: number, ...facts: DomainEvent[]): Promise<void> {
    const classes = facts.map((fact) => fact.constructor as unknown as EventClass);
    await this.engines.store.append(stream, expected, toAppend(facts, classes, context(), isoTime(this.engines.clock.now())));
  }

  async deliveries(): Promise<WebhooksSchema['webhook_deliveries'][]> {
    return (this.engines.views as Kysely<WebhooksSchema>).selectFrom('webhook_deliveries').selectAll().execute();
  }

  async outbox(accountId: string): Promise<OutboxEntry[]> {
    return (await this.engines.store.read(`outbox-${accountId}`)).flatMap((event) => outboxEntries(event.data as EnvelopePublished['data']));
  }
}
