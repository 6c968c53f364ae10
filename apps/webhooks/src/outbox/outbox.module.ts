import type { Provider } from '@nestjs/common';
import type { Checkpoints, EventStore } from '@ponte/event-sourcing';
import { EVENT_STORE } from '@ponte/nest';
import { AccountEndpoints } from '../endpoints/account-endpoints';
import { Deliveries } from '../dispatch/deliveries';
import { Dispatcher } from '../dispatch/dispatcher';
import { JournalPlaces } from '../journal/journal-places';
import { CheckpointTracker, UndeliveredWatermark } from './reader-progress';
import { DeliveryScheduler } from './delivery-scheduler';
import { OutboxLog } from './outbox-log';
import { OutboxProjector, PublicationHistories } from './outbox-projector';
import { OutboxTroubles } from './outbox-troubles';
import { Publishing } from './publishing';

/** The pause before each round of appends to the outboxes, which makes them fewer. It delays no webhook. */
const OUTBOX_ROUND_MS = 50;

/** The providers that turn recorded events into deliveries. */
export const OUTBOX_PROVIDERS: Provider[] = [
  UndeliveredWatermark,
  OutboxTroubles,
  {
    provide: Publishing,
    useFactory: (store: EventStore, dispatcher: Dispatcher, troubles: OutboxTroubles) =>
      new Publishing(new OutboxLog(store), dispatcher, troubles, OUTBOX_ROUND_MS),
    inject: [EVENT_STORE, Dispatcher, OutboxTroubles],
  },
  {
    provide: CheckpointTracker,
    useFactory: (
      checkpoints: Checkpoints,
      endpoints: AccountEndpoints,
      undelivered: UndeliveredWatermark,
      publishing: Publishing,
    ) =>
      new CheckpointTracker(checkpoints, () => {
        endpoints.readerBegins();
        undelivered.begins();
        publishing.readerBegins();
      }),
    inject: [JournalPlaces, AccountEndpoints, UndeliveredWatermark, Publishing],
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
      publishing: Publishing,
    ) =>
      new OutboxProjector(
        new PublicationHistories(store),
        publishing,
        new DeliveryScheduler(endpoints, deliveries, dispatcher, undelivered),
        open,
      ),
    inject: [
      EVENT_STORE,
      AccountEndpoints,
      Deliveries,
      Dispatcher,
      CheckpointTracker,
      UndeliveredWatermark,
      Publishing,
    ],
  },
];
