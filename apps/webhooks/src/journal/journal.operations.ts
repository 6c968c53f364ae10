import type { Provider } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Checkpoints, EventStore } from '@ponte/event-sourcing';
import { causedBy } from '@ponte/event-sourcing';
import { CHECKPOINTS, EVENT_STORE, VIEW_CHECKPOINTS, VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { DisableWebhookEndpointCommand } from '../endpoints/disable-webhook-endpoint.command';
import { NoteFailingEndpointCommand, NoteFailingEndpointHandler } from '../endpoints/note-failing-endpoint.command';
import { Deliveries } from '../dispatch/deliveries';
import type { WebhooksSchema } from '../deliveries/deliveries.read-model';
import { DeliveriesView } from '../deliveries/deliveries.read-model';
import type { DisableEndpoint, NoteFailing } from '../deliveries/deliveries-projection';
import { DeliveriesProjection } from '../deliveries/deliveries-projection';
import { JournalPlaces } from './journal-places';
import { JournalReader } from './journal-reader';
import { JournaledStore } from './journaled-store';

const POLICY = 'webhook-deliveries';

/** The journal of open deliveries, and what writes their rows. */
export const JOURNAL: readonly Provider[] = [
  {
    provide: JournaledStore,
    useFactory: (store: EventStore, views: Kysely<unknown>) =>
      new JournaledStore(store, views as Kysely<WebhooksSchema>),
    inject: [EVENT_STORE, VIEWS],
  },
  {
    provide: JournalPlaces,
    useFactory: (kept: Checkpoints, beside: Checkpoints, store: EventStore) => new JournalPlaces(kept, beside, store),
    inject: [CHECKPOINTS, VIEW_CHECKPOINTS, EVENT_STORE],
  },
  {
    provide: DeliveriesProjection,
    useFactory: (deliveries: Deliveries, view: DeliveriesView, commands: CommandBus, journal: JournaledStore) => {
      const projection = new DeliveriesProjection(deliveries, view, disabling(commands), noting(commands));
      const reader = new JournalReader(journal);
      journal.tells(
        (events) => projection.applyJournaled(events, reader),
        (events) => projection.show(events, reader),
      );
      return projection;
    },
    inject: [Deliveries, DeliveriesView, CommandBus, JournaledStore],
  },
  NoteFailingEndpointHandler,
];

const disabling =
  (commands: CommandBus): DisableEndpoint =>
  (event, reason) => {
    const { accountId, endpointId } = event.data;
    const context = causedBy(event, 'disable-endpoint', POLICY);
    return commands.execute(new DisableWebhookEndpointCommand(accountId, endpointId, reason, context));
  };

const noting =
  (commands: CommandBus): NoteFailing =>
  (event, summary) => {
    const { accountId, endpointId } = event.data;
    const context = causedBy(event, 'note-failing-endpoint', POLICY);
    return commands.execute(new NoteFailingEndpointCommand(accountId, endpointId, summary, context));
  };
