import type { Provider } from '@nestjs/common';
import type { Checkpoints, EventStore } from '@ponte/event-sourcing';
import { EVENT_STORE } from '@ponte/nest';
import { AccountEndpoints } from '../endpoints/account-endpoints.service';
import { Deliveries } from '../dispatch/deliveries.service';
import { Dispatcher } from '../dispatch/dispatcher.service';
import { OutboxReader } from '../event-log/outbox-reader.service';
import { JournalCheckpoints } from '../journal/journal-checkpoints.service';
import { CheckpointTracker, UndeliveredWatermark } from './reader-progress.service';
import { DeliveryScheduler } from './delivery-scheduler';
import { OutboxLog } from './outbox-log';
import { OutboxProjector, PublicationHistories } from './outbox-projector';
import { OutboxTroubles } from './outbox-troubles.service';
import { ParkedResources } from './parked-resources.service';
import { ParkedResourceReleases } from './parked-resources.operations';
import { Publishing } from './publishing';
import { AccountWork, Scheduling } from './scheduling';

/** The pause before each round of appends to the outboxes, which makes them fewer. It delays no webhook. */
const OUTBOX_ROUND_MS = 50;

/** The providers that turn recorded events into deliveries. */
export const OUTBOX_PROVIDERS: Provider[] = [
  UndeliveredWatermark,
  OutboxTroubles,
  ParkedResources,
  ParkedResourceReleases,
  {
    provide: Publishing,
    useFactory: (store: EventStore, dispatcher: Dispatcher, troubles: OutboxTroubles) =>
      new Publishing(new OutboxLog(store), dispatcher, troubles.ofOutboxes, OUTBOX_ROUND_MS),
    inject: [EVENT_STORE, Dispatcher, OutboxTroubles],
  },
  {
    provide: Scheduling,
    useFactory: (
      endpoints: AccountEndpoints,
      deliveries: Deliveries,
      dispatcher: Dispatcher,
      undelivered: UndeliveredWatermark,
      troubles: OutboxTroubles,
    ) => {
      const work = new AccountWork(dispatcher, troubles.ofSchedules);
      const scheduler = new DeliveryScheduler(endpoints, deliveries, dispatcher, work);
      return new Scheduling(scheduler, undelivered, work, () => troubles.readAgain());
    },
    inject: [AccountEndpoints, Deliveries, Dispatcher, UndeliveredWatermark, OutboxTroubles],
  },
  {
    provide: CheckpointTracker,
    useFactory: (
      checkpoints: Checkpoints,
      endpoints: AccountEndpoints,
      undelivered: UndeliveredWatermark,
      publishing: Publishing,
      scheduling: Scheduling,
      troubles: OutboxTroubles,
      parked: ParkedResources,
    ) =>
      new CheckpointTracker(
        checkpoints,
        () => {
          endpoints.readerBegins();
          undelivered.begins();
          publishing.readerBegins();
          scheduling.readerBegins();
          parked.readerBegins();
        },
        () => troubles.currentTrouble,
      ),
    inject: [
      JournalCheckpoints,
      AccountEndpoints,
      UndeliveredWatermark,
      Publishing,
      Scheduling,
      OutboxTroubles,
      ParkedResources,
    ],
  },
  {
    provide: OutboxProjector,
    useFactory: (
      store: EventStore,
      endpoints: AccountEndpoints,
      publishing: Publishing,
      scheduling: Scheduling,
      open: CheckpointTracker,
      parked: ParkedResources,
      written: OutboxReader,
      dispatcher: Dispatcher,
    ) =>
      new OutboxProjector(
        new PublicationHistories(store),
        endpoints,
        publishing,
        scheduling,
        open,
        parked,
        written,
        (work) => dispatcher.retryForever(work),
      ),
    inject: [
      EVENT_STORE,
      AccountEndpoints,
      Publishing,
      Scheduling,
      CheckpointTracker,
      ParkedResources,
      OutboxReader,
      Dispatcher,
    ],
  },
];
