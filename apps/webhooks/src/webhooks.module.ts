import { once } from 'node:events';
import { Inject, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnModuleInit } from '@nestjs/common';
import { pause, ReportLimit, retry, whileLeased } from '@ponte/concurrency';
import type { Timers } from '@ponte/concurrency';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import { failureText, logged, safeError } from '@ponte/event-sourcing';
import { EVENT_STORE, LEASE, LOGGER, REWINDABLE, TIMERS, READ_MODEL_CHECKPOINTS, READ_MODELS } from '@ponte/nest';
import type { Rewindable } from '@ponte/nest';
import { runProjector } from '@ponte/read-models';
import type { Projector } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { AttemptNotes } from './deliveries/attempt-notes.read-model';
import { DeliveriesProjection, DELIVERY_SOURCES } from './deliveries/deliveries-projection';
import { DELIVERIES_READER } from './deliveries/deliveries-rebuild.adapter';
import { createDeliveryTables } from './deliveries/delivery-tables.adapter';
import { Replays, REPLAY_SOURCES, REPLAYS_READER } from './deliveries/when-replay-requested-schedule-deliveries.policy';
import { AccountEndpoints } from './endpoints/account-endpoints.service';
import { Deliveries } from './dispatch/deliveries.service';
import { DISPATCH_PROVIDERS } from './dispatch/dispatch.module';
import { Dispatcher } from './dispatch/dispatcher.service';
import { ENDPOINT_PROVIDERS } from './endpoints/endpoints.module';
import { OutboxReader } from './event-log/outbox-reader.service';
import { JournalCheckpoints } from './journal/journal-checkpoints.service';
import { JOURNAL } from './journal/journal.operations';
import { CheckpointTracker, OUTBOX_READER } from './outbox/reader-progress.service';
import { OutboxProjector } from './outbox/outbox-projector';
import { OUTBOX_PROVIDERS } from './outbox/outbox.module';
import { OutboxTroubles } from './outbox/outbox-troubles.service';
import { WebhooksMessages } from './webhooks.controller';
import { OPERATIONS } from './webhooks.operations';
import { WebhooksTimers } from './webhooks.timers';

/** How often due deliveries are queried, which is the longest delay of a retry. New events do not wait for it. */
const SCAN_EVERY_MS = 200;
/** Additional pause while nothing is queued or being sent. A retry may then be two seconds late. */
const REST_MS = 1_800;
/** A delivery that starts and ends within this time is written to the read model once, not three times. */
const READ_MODEL_LINGER_MS = 25;
/** How often attempt notes are written, which is the longest delay until a response is shown. */
const NOTES_EVERY_MS = 250;
const DISPATCHER = 'webhook-dispatcher';

@Module({
  controllers: [WebhooksMessages],
  providers: [
    ...ENDPOINT_PROVIDERS,
    ...DISPATCH_PROVIDERS,
    ...OUTBOX_PROVIDERS,
    ...OPERATIONS,
    ...JOURNAL,
    WebhooksTimers,
  ],
})
export class WebhooksModule implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();
  private projectors: readonly Projector[] = [];
  private replays: Replays | undefined;
  private dispatching: Promise<void> = Promise.resolve();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(READ_MODEL_CHECKPOINTS) private readonly readModelCheckpoints: Checkpoints,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
    @Inject(READ_MODELS) private readonly readModels: Kysely<unknown>,
    @Inject(TIMERS) private readonly timers: Timers,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Dispatcher) private readonly dispatcher: Dispatcher,
    @Inject(OutboxProjector) private readonly outbox: OutboxProjector,
    @Inject(OutboxTroubles) private readonly troubles: OutboxTroubles,
    @Inject(DeliveriesProjection) private readonly projection: DeliveriesProjection,
    @Inject(AttemptNotes) private readonly notes: AttemptNotes,
    @Inject(JournalCheckpoints) private readonly checkpoints: Checkpoints,
    @Inject(OutboxReader) private readonly reader: OutboxReader,
    @Inject(AccountEndpoints) private readonly endpoints: AccountEndpoints,
    @Inject(Deliveries) private readonly deliveries: Deliveries,
  ) {}

  async onModuleInit(): Promise<void> {
    await createDeliveryTables(this.readModels);
  }

  async onApplicationBootstrap(): Promise<void> {
    const { store, lease, logger } = this;
    this.dispatching = this.dispatchUnderLease(this.stopping.signal);
    this.projectors = [
      runProjector({ store, lease, logger, ...this.outbox.reader }),
      runProjector({
        store,
        lease,
        logger,
        checkpoints: this.readModelCheckpoints,
        name: DELIVERIES_READER,
        categories: DELIVERY_SOURCES,
        lingerMs: READ_MODEL_LINGER_MS,
        apply: (slice) => this.projection.apply(slice),
      }),
      this.runReplays(),
    ];
    const [outbox, , replays] = this.projectors;
    if (outbox) {
      this.rewindable.set(OUTBOX_READER, outbox);
      // The checkpoint is before everything that is missing, so the reader only has to start again. Between two turns
      // nothing has to be done: the next turn starts there.
      this.troubles.whenBehind(() => void outbox.rewind(async () => undefined).catch(() => undefined));
    }
    if (replays) this.rewindable.set(REPLAYS_READER, replays);
    this.timers.every('webhook-attempt-notes', NOTES_EVERY_MS, () => this.notes.flush());
    this.timers.every('webhook-deliveries-due', SCAN_EVERY_MS, async (signal) => {
      if (this.dispatcher.isResting) await pause(REST_MS, signal);
      await this.dispatcher.scan();
    });
  }

  /**
   * Stops first the readers that create deliveries, then running attempts, then the projector that records outcomes.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    const [outbox, projection, replays] = this.projectors;
    await Promise.all([outbox?.stop(), replays?.stop()]);
    await this.replays?.ended();
    await this.dispatcher.stop();
    await this.notes.end();
    await projection?.stop();
    await this.dispatching;
  }

  private runReplays(): Projector {
    const { store, lease, logger, checkpoints: places, reader: outbox, endpoints, deliveries } = this;
    const progress = new CheckpointTracker(places);
    const reports = new ReportLimit();
    const replays = new Replays({
      ...{ store, checkpoints: places, progress, outbox, endpoints, deliveries },
      stopping: this.stopping.signal,
      failed: ({ meta, data: { accountId, replayId } }, error) => {
        const fields = { ...logged(meta), accountId, replayId, error: safeError(error) };
        reports.note(failureText(error), (repeats) =>
          logger.error({ ...fields, ...repeats }, 'a replay of webhook events failed; it will be retried'),
        );
      },
    });
    this.replays = replays;
    return runProjector({
      store,
      lease,
      logger,
      checkpoints: progress,
      name: REPLAYS_READER,
      categories: REPLAY_SOURCES,
      apply: (slice) => replays.apply(slice),
    });
  }

  /** One process sends at a time. When it loses the lease, the next holder takes over the due deliveries. */
  private async dispatchUnderLease(signal: AbortSignal): Promise<void> {
    const dispatch = () =>
      whileLeased(this.lease, DISPATCHER, signal, async (end) => {
        this.dispatcher.activate();
        if (!end.aborted) await once(end, 'abort');
        this.dispatcher.deactivate();
      });
    const onRetry = (error: unknown): void =>
      this.logger.error(
        { error: safeError(error) },
        'the lease of the webhook dispatcher could not be acquired; this will be retried',
      );
    while (!signal.aborted) await retry(dispatch, { signal, onRetry });
  }
}
