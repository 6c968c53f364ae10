import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Kysely } from 'kysely';
import pino from 'pino';
import type { EnvelopePublished, OutboxEntry, WebhookEventType } from '@ponte/contracts';
import { CreateWebhookEndpoint, GetAccountParent, outboxEntries } from '@ponte/contracts';
import type { DomainEvent, EventClass, EventStore, Lease, RequestContext } from '@ponte/event-sourcing';
import { toAppend } from '@ponte/event-sourcing';
import { derivedId, isoTime } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { createTimers } from '@ponte/concurrency';
import { BusTransport, EnginesModule, openEmbeddedEngines } from '@ponte/nest';
import type { WebhooksSchema } from './webhooks-schema';
import { OUTBOX_READER } from '../outbox/reader-progress.service';
import { WebhooksModule } from '../webhooks.module';
import { CHILD, PARTNER } from './fixtures';
import type { Receiver } from './receiver';
import { sharedWithOthers, GIVEN_AWAY_TWICE, keptFrom } from './shared-engines';

let made = 0;
/** A context with a new command id. */
export const context = (): RequestContext => ({
  commandId: derivedId('test', String((made += 1))),
  correlationId: 'request-1',
});

/** The service on embedded engines in a folder. The test controls business time. */
export class WebhooksUnderTest {
  /** How far business time is ahead of system time, or of the moment at which it was stopped. */
  static aheadMs = 0;
  private static stoppedAt: number | undefined;
  private constructor(
    readonly engines: Engines,
    readonly service: INestMicroservice,
  ) {}

  /**
   * Stops business time, so that only the test moves it. Otherwise a failed delivery is repeated after ten seconds,
   * which a test on a slow machine may not notice.
   */
  static stopTime(): void {
    WebhooksUnderTest.stoppedAt ??= Date.now();
  }

  /** Lets business time continue from where it was stopped. */
  static goOn(): void {
    if (WebhooksUnderTest.stoppedAt !== undefined)
      WebhooksUnderTest.aheadMs += WebhooksUnderTest.stoppedAt - Date.now();
    WebhooksUnderTest.stoppedAt = undefined;
  }

  /** `over` and `leased` wrap the store and the leases that the service uses. */
  static async start(
    dataDirectory: string,
    over: (store: EventStore) => EventStore = (store) => store,
    leased: (lease: Lease) => Lease = (lease) => lease,
  ): Promise<WebhooksUnderTest> {
    const runtime = {
      environment: 'sandbox',
      dataDirectory,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    } as const;
    const logger = pino({ level: 'silent' });
    const opened = await openEmbeddedEngines(runtime, 'webhooks', { logger, checkRequests: true });
    const store = over(opened.store);
    const engines: Engines = {
      ...opened,
      store,
      lease: leased(opened.lease),
      aggregates: opened.aggregates.withOptions({ store }),
      clock: { now: () => (WebhooksUnderTest.stoppedAt ?? opened.systemClock.now()) + WebhooksUnderTest.aheadMs },
    };
    const service = await NestFactory.createMicroservice(
      { module: class Root {}, imports: [EnginesModule.forRoot(engines), WebhooksModule] },
      { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false },
    );
    // Replaces the onboarding service: there is one child of one partner.
    engines.bus.handle(GetAccountParent.pattern, async (payload) => ({
      parentId: (payload as { accountId: string }).accountId === CHILD ? PARTNER : null,
    }));
    await service.listen();
    engines.timers.start();
    return new WebhooksUnderTest(engines, service);
  }

  async stop(): Promise<void> {
    await this.engines.timers.stop();
    await this.service.close();
    await this.engines.close();
  }

  /** Simulates `kill -9`: nothing is shut down and the log is left as it is. */
  async crash(): Promise<void> {
    await this.engines.store.close();
    await this.stop().catch(() => undefined);
  }

  /**
   * Starts another process that holds the same leases, as if this one were thought dead: both read and send. Only this
   * one writes the read model.
   */
  async otherHolder(): Promise<{ stop(): Promise<void> }> {
    const { logger, bus, checkpoints } = this.engines;
    const [store, timers] = [sharedWithOthers(this.engines.store), createTimers(logger)];
    const engines: Engines = {
      ...this.engines,
      store,
      timers,
      aggregates: this.engines.aggregates.withOptions({ store }),
      lease: GIVEN_AWAY_TWICE,
      checkpoints: keptFrom(await checkpoints.load(OUTBOX_READER)),
      bus,
    };
    const service = await NestFactory.createApplicationContext(
      { module: class Other {}, imports: [EnginesModule.forRoot(engines), WebhooksModule] },
      { logger: false, abortOnError: false },
    );
    timers.start();
    return {
      stop: async () => {
        await timers.stop();
        await service.close();
      },
    };
  }

  async endpoint(
    receiver: Receiver,
    path: string,
    accountId = CHILD,
    eventTypes: readonly WebhookEventType[] | null = null,
  ): Promise<string> {
    const endpointId = derivedId('endpoint', path, String((made += 1)));
    const endpoint = await this.engines.bus.request(
      CreateWebhookEndpoint,
      { accountId, endpointId, url: receiver.url(path), eventTypes },
      context(),
    );
    receiver.secrets.set(path, await this.engines.personalData.open(endpoint.secret));
    return endpointId;
  }

  async append(stream: string, expected: number, ...facts: DomainEvent[]): Promise<void> {
    const classes = facts.map((event) => event.constructor as unknown as EventClass);
    await this.engines.store.append(
      stream,
      expected,
      toAppend(facts, classes, context(), isoTime(this.engines.clock.now())),
    );
  }

  async deliveries(): Promise<WebhooksSchema['webhook_deliveries'][]> {
    return (this.engines.readModels as Kysely<WebhooksSchema>).selectFrom('webhook_deliveries').selectAll().execute();
  }

  async outbox(accountId: string): Promise<OutboxEntry[]> {
    return (await this.engines.store.read(`outbox-${accountId}`)).flatMap((event) =>
      outboxEntries(event.data as EnvelopePublished['data']),
    );
  }
}
