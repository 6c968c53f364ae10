import type { Provider } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ReportLimit } from '@ponte/concurrency';
import { causedBy, failureText, logged, safeError } from '@ponte/event-sourcing';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { DeliveriesProjection } from '../deliveries/deliveries-projection';
import type { DisableEndpoint, NoteFailing, ReportFailure } from '../deliveries/deliveries-projection';
import { DeliveryReadModel } from '../deliveries/deliveries.read-model';
import { FailingEndpoints } from '../failing-endpoints/failing-endpoints.read-model';
import { Deliveries } from '../dispatch/deliveries.service';
import { DisableWebhookEndpointCommand } from '../endpoints/disable-webhook-endpoint.command';
import { NoteFailingEndpointCommand } from '../endpoints/note-failing-endpoint.command';
import { JournalCheckpoints } from './journal-checkpoints.service';
import { JournalReader } from './journal-reader';
import { JournaledStore } from './journaled-store.service';
import { OldDeliveries } from './old-deliveries.service';
import { RowSettler } from './row-settler.service';
import { SettleJournal } from './settle-journal.job';

const POLICY = 'webhook-deliveries';

/** The providers of the journal of open deliveries and of the projection that writes their rows. */
export const JOURNAL: readonly Provider[] = [
  JournaledStore,
  JournalCheckpoints,
  OldDeliveries,
  RowSettler,
  SettleJournal,
  {
    provide: DeliveriesProjection,
    useFactory: (
      deliveries: Deliveries,
      readModel: DeliveryReadModel,
      failing: FailingEndpoints,
      commands: CommandBus,
      journal: JournaledStore,
      logger: Logger,
    ) => {
      const projection = new DeliveriesProjection(
        deliveries,
        readModel,
        failing,
        disabling(commands),
        noting(commands),
        reporting(logger),
      );
      const reader = new JournalReader(journal);
      journal.listen(
        (events) => projection.applyJournaled(events, reader),
        (events) => projection.show(events, reader),
      );
      return projection;
    },
    inject: [Deliveries, DeliveryReadModel, FailingEndpoints, CommandBus, JournaledStore, LOGGER],
  },
];

const disabling =
  (commands: CommandBus): DisableEndpoint =>
  (event, reason) => {
    const { accountId, endpointId, failedAt } = event.data;
    const context = causedBy(event, 'disable-endpoint', POLICY);
    return commands.execute(new DisableWebhookEndpointCommand({ accountId, endpointId, reason, failedAt }, context));
  };

const noting =
  (commands: CommandBus): NoteFailing =>
  (event, summary) => {
    const { accountId, endpointId } = event.data;
    const context = causedBy(event, 'note-failing-endpoint', POLICY);
    return commands.execute(new NoteFailingEndpointCommand({ accountId, endpointId, summary }, context));
  };

function reporting(logger: Logger): ReportFailure {
  const reports = new ReportLimit();
  return ({ meta, data: { accountId, endpointId } }, error, what) =>
    reports.note(`${what} ${failureText(error)}`, (repeats) =>
      logger.error({ ...logged(meta), accountId, endpointId, error: safeError(error), ...repeats }, what),
    );
}
