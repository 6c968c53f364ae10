import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Projector } from '@ponte/read-models';
import { runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { addSeconds } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { Rewindable, Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import { pause, whileLeased } from '@ponte/concurrency';
import {
  CLOCK,
  EVENT_STORE,
  LEASE,
  LOGGER,
  METRICS,
  REWINDABLE,
  RUNTIME,
  SYSTEM_CLOCK,
  TIMERS,
  TRACING,
  VIEW_CHECKPOINTS,
  VIEWS,
} from '@ponte/nest';
import { DELIVERIES_READER } from './deliveries/deliveries-rebuild.adapter';
import { resolvedAddresses } from './outgoing-http/adapters/resolve';
import { undiciHttp } from './outgoing-http/adapters/undici';
import { randomSecrets } from './endpoints/random.secrets.adapter';
import { CreateWebhookEndpointHandler } from './endpoints/create-webhook-endpoint.command';
import { DeleteWebhookEndpointHandler } from './endpoints/delete-webhook-endpoint.command';
import { DisableWebhookEndpointHandler } from './endpoints/disable-webhook-endpoint.command';
import { PingWebhookEndpointHandler } from './endpoints/ping-webhook-endpoint.command';
import { AccountEndpoints } from './dispatch/account-endpoints';
import { Attempts } from './dispatch/attempt';
import { Deliveries } from './dispatch/deliveries';
import { Dispatcher } from './dispatch/dispatcher';
import { countingAttempts, measureDue } from './dispatch/metrics';
import { loggingAttempts, tracingAttempts } from './dispatch/traced-http';
import { WebhooksMessages } from './webhooks.controller';
import { JOURNAL } from './journal/journal.operations';
import { JournalPlaces } from './journal/journal-places';
import { JournaledStore } from './journal/journaled-store';
import { DeliveryScheduler } from './outbox/delivery-scheduler';
import { AttemptNotes } from './deliveries/attempt-notes';
import { DELETE_EVERY_MS, DeleteOldDeliveries } from './deliveries/delete-old-deliveries.job';
import { Replays, REPLAY_SOURCES, REPLAYS_READER } from './deliveries/when-replay-requested-schedule-deliveries.policy';
import { Sending } from './dispatch/sending';
import { OutboxReader } from './event-log/outbox-reader';
import { aborted } from './dispatch/aborted';
import { OPERATIONS } from './webhooks.operations';
import { CheckpointTracker } from './outbox/checkpoint-tracker';
import { UndeliveredWatermark } from './outbox/undelivered-watermark';
import { OutboxLog } from './outbox/outbox-log';
import { OUTBOX_READER, OUTBOX_SOURCES, OutboxProjector } from './outbox/outbox-projector';
import { Publishing } from './outbox/publishing';
import { PublicationHistories } from './outbox/publication-histories';
import type { OutgoingHttp } from './outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP, SECRETS, TARGET_ADDRESSES } from './webhooks-tokens.port';
import { ListWebhookEndpointsHandler } from './endpoints/list-webhook-endpoints.query';
import { targetRules } from './endpoints/target.domain';
import type { WebhooksSchema } from './deliveries/deliveries.read-model';
import { DeliveriesView } from './deliveries/deliveries.read-model';
import { DeliveriesProjection, DELIVERY_SOURCES } from './deliveries/deliveries-projection';
import { createDeliveryTables } from './deliveries/delivery.table';

/** How often the view is asked for what is due: a retry is at most so late. Fresh events do not wait for it. */
const SCAN_EVERY_MS = 200;
/** While nothing is queued or under way, so much longer: a retry may leave two seconds late. */
const REST_MS = 1_800;
/**
 * Orders that are placed within a moment go to the outbox of their common parent in one append; no webhook is late for
 * it.
 */
const OUTBOX_LINGER_MS = 4;
/** Before each round of the outboxes: what comes in a moment is one append to each, and no one waits for it. */
const OUTBOX_ROUND_MS = 50;
/** At the head of the log the view takes its time, so that what is done in a moment is one row and not three. */
const VIEW_LINGER_MS = 25;
/** Responses of receivers are shown this much later, at the most. */
const NOTES_EVERY_MS = 250;
/** Delivery streams kept in memory: what is under way, and what was a moment ago. */
const DELIVERIES_IN_MEMORY = 5_000;
/** First wait after a lost race for a delivery's stream; it grows with the attempts. */
const CONFLICT_PAUSE_MS = 5;
/** Between two looks for rows behind the journal: after a rebuild of the views, or after a failed write. */
const SETTLE_EVERY_MS = 30_000;
/** Every open delivery has a younger event. The rows of older ones are looked for with each deletion. */
const OPEN_SECONDS = 7 * 86_400;
const DISPATCHER = 'webhook-dispatcher';

@Module({
  controllers: [WebhooksMessages],
  providers: [
    { provide: SECRETS, useValue: randomSecrets },
    { provide: TARGET_ADDRESSES, useFactory: () => resolvedAddresses() },
    {
      provide: OUTGOING_HTTP,
      useFactory: (runtime: Runtime, metrics: Metrics, tracing: Tracing, logger: Logger): OutgoingHttp =>
        tracingAttempts(
          loggingAttempts(countingAttempts(undiciHttp({ rules: targetRules(runtime.environment) }), metrics), logger),
          tracing,
        ),
      inject: [RUNTIME, METRICS, TRACING, LOGGER],
    },
    {
      provide: Deliveries,
      useFactory: (aggregates: Aggregates, store: JournaledStore, clock: Clock) =>
        new Deliveries(
          aggregates.withOptions({
            store,
            capacity: DELIVERIES_IN_MEMORY,
            pause: (attempt) => pause(attempt * CONFLICT_PAUSE_MS),
          }),
          clock,
        ),
      inject: [Aggregates, JournaledStore, CLOCK],
    },
    {
      provide: AccountEndpoints,
      useFactory: (aggregates: Aggregates) => new AccountEndpoints(aggregates),
      inject: [Aggregates],
    },
    {
      provide: DeliveriesView,
      useFactory: (views: Kysely<unknown>, metrics: Metrics, clock: Clock) => {
        const view = new DeliveriesView(views as Kysely<WebhooksSchema>);
        measureDue(view, metrics, clock);
        return view;
      },
      inject: [VIEWS, METRICS, CLOCK],
    },
    {
      provide: Attempts,
      useFactory: (deliveries: Deliveries, endpoints: AccountEndpoints, sending: Sending, systemClock: Clock) =>
        new Attempts(deliveries, endpoints, sending, systemClock),
      inject: [Deliveries, AccountEndpoints, Sending, SYSTEM_CLOCK],
    },
    ...OPERATIONS,
    {
      provide: Dispatcher,
      useFactory: (
        attempts: Attempts,
        deliveries: Deliveries,
        due: DeliveriesView,
        http: OutgoingHttp,
        clock: Clock,
        logger: Logger,
      ) => new Dispatcher({ attempts, deliveries, due, http, clock, logger }),
      inject: [Attempts, Deliveries, DeliveriesView, OUTGOING_HTTP, CLOCK, LOGGER],
    },
    {
      provide: CheckpointTracker,
      useFactory: (checkpoints: Checkpoints, endpoints: AccountEndpoints, undelivered: UndeliveredWatermark) =>
        new CheckpointTracker(checkpoints, () => {
          endpoints.readerBegins();
          undelivered.begins();
        }),
      inject: [JournalPlaces, AccountEndpoints, UndeliveredWatermark],
    },
    {
      provide: OutboxProjector,
      useFactory: (
        store: EventStore,
        endpoints: AccountEndpoints,
        deliveries: Deliveries,
        dispatcher: Dispatcher,
        open: CheckpointTracker,
        undelivered: UndeliveredWatermark,
      ) =>
        new OutboxProjector(
          new PublicationHistories(store),
          new Publishing(
            new OutboxLog(store),
            (work) => dispatcher.persistently(work),
            () => pause(OUTBOX_ROUND_MS),
          ),
          new DeliveryScheduler(endpoints, deliveries, dispatcher, undelivered),
          open,
        ),
      inject: [EVENT_STORE, AccountEndpoints, Deliveries, Dispatcher, CheckpointTracker, UndeliveredWatermark],
    },
    ...JOURNAL,
    CreateWebhookEndpointHandler,
    DeleteWebhookEndpointHandler,
    DisableWebhookEndpointHandler,
    PingWebhookEndpointHandler,
    ListWebhookEndpointsHandler,
  ],
})
export class WebhooksModule implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private projectors: readonly Projector[] = [];
  private dispatching: Promise<void> = Promise.resolve();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CheckpointTracker) private readonly checkpoints: CheckpointTracker,
    @Inject(VIEW_CHECKPOINTS) private readonly viewCheckpoints: Checkpoints,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
    @Inject(VIEWS) private readonly views: Kysely<unknown>,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Dispatcher) private readonly dispatcher: Dispatcher,
    @Inject(OutboxProjector) private readonly outbox: OutboxProjector,
    @Inject(DeliveriesProjection) private readonly projection: DeliveriesProjection,
    @Inject(AttemptNotes) private readonly notes: AttemptNotes,
    @Inject(DeleteOldDeliveries) private readonly deletion: DeleteOldDeliveries,
    @Inject(JournalPlaces) private readonly places: Checkpoints,
    @Inject(OutboxReader) private readonly reader: OutboxReader,
    @Inject(AccountEndpoints) private readonly endpoints: AccountEndpoints,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
    @Inject(JournaledStore) private readonly journal: JournaledStore,
  ) {}

  async onModuleInit(): Promise<void> {
    await createDeliveryTables(this.views as Kysely<WebhooksSchema>);
    await this.journal.settle();
  }

  async onApplicationBootstrap(): Promise<void> {
    const { store, lease, logger } = this;
    this.dispatching = this.dispatchUnderLease(this.stopping.signal);
    this.projectors = [
      runProjector({
        store,
        lease,
        logger,
        checkpoints: this.checkpoints,
        name: OUTBOX_READER,
        categories: OUTBOX_SOURCES,
        lingerMs: OUTBOX_LINGER_MS,
        apply: (slice) => this.outbox.apply(slice),
      }),
      runProjector({
        store,
        lease,
        logger,
        checkpoints: this.viewCheckpoints,
        name: DELIVERIES_READER,
        categories: DELIVERY_SOURCES,
        lingerMs: VIEW_LINGER_MS,
        apply: (slice) => this.projection.apply(slice),
      }),
      this.runReplays(),
    ];
    const [outbox] = this.projectors;
    if (outbox) this.rewindable.set(OUTBOX_READER, outbox);
    this.timers.every('webhook-attempt-notes', NOTES_EVERY_MS, () => this.notes.flush());
    this.timers.every('webhook-journal', SETTLE_EVERY_MS, () =>
      this.journal.settle(addSeconds(this.deliveries.now(), -OPEN_SECONDS)),
    );
    this.timers.every('webhook-retention', DELETE_EVERY_MS, async () => {
      await this.journal.settle();
      await this.deletion.run();
    });
    this.timers.every('webhook-deliveries-due', SCAN_EVERY_MS, async (signal) => {
      if (this.dispatcher.isResting) await pause(REST_MS, signal);
      await this.dispatcher.scan();
    });
  }

  /** The source of deliveries first, then those under way, then what writes down how they ended. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const [outbox, projection, replays] = this.projectors;
    await Promise.all([outbox?.stop(), replays?.stop()]);
    await this.dispatcher.stop();
    await this.notes.flush();
    await projection?.stop();
    await this.dispatching;
  }

  private runReplays(): Projector {
    const { store, lease, logger, places: checkpoints, reader: outbox, endpoints, deliveries } = this;
    const replays = new Replays({ store, checkpoints, outbox, endpoints, deliveries, stopping: this.stopping.signal });
    return runProjector({
      store,
      lease,
      logger,
      checkpoints,
      name: REPLAYS_READER,
      categories: REPLAY_SOURCES,
      apply: (slice) => replays.apply(slice),
    });
  }

  /** One process sends at a time; its loss of the lease hands the due deliveries to the next. */
  private async dispatchUnderLease(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await whileLeased(this.lease, DISPATCHER, signal, async (end) => {
        this.dispatcher.activate();
        await aborted(end);
        this.dispatcher.deactivate();
      });
    }
  }
}
