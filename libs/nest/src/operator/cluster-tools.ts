import type { RebuildableReadModel } from '@ponte/read-models';
import { readDeadLetters, relayName } from '@ponte/bus-kafka';
import { findEvent } from '@ponte/event-sourcing';
import { openEventStoreDb } from '@ponte/eventstore-eventstoredb';
import {
  openPostgresEdgeState,
  openPostgresState,
  openPostgresReadModels,
  Postgres,
  postgresShadowReadModels,
  rewrapPostgresKeys,
} from '@ponte/postgres';
import { createReadModelCheckpoints } from '@ponte/read-models';
import { categoriesOf, connectionOf } from '../engines/cluster-bus';
import { schemaOf } from '../engines/cluster-database';
import { remoteOf } from '../engines/remote-engines';
import { createIds, systemClock } from '../clocks';
import { skippedBy } from '../engines/log-faults';
import { createLogger } from '../logging';
import type { Runtime } from '../process/runtime';
import { offlineDuties } from './offline-duties';
import { ownPositionsOf } from './time-positions';
import { shownEvents } from '@ponte/operator';
import type { TimeReader, OperatorTools } from '@ponte/operator';

/** The latest possible time: everything expires before it. */
const END_OF_TIME = 8_640_000_000_000_000;

/**
 * The operator's tools for one service of a cluster: its tables, the log and, if needed, the brokers. They take no part
 * in the service's work.
 */
export async function openClusterTools(
  runtime: Runtime,
  service: string,
  readModels: readonly RebuildableReadModel[],
  relays: readonly string[],
  timeReaders: readonly TimeReader[] = [],
): Promise<OperatorTools> {
  const remote = remoteOf(runtime, service);
  const logger = createLogger(`${service}-operator`, 'error');
  const postgres = await Postgres.open({
    url: remote.databaseUrl,
    schema: schemaOf(service),
    logger,
    applicationName: `ponte-operator-${service}`,
  });
  const state = await openPostgresState(postgres);
  const db = await openPostgresReadModels<unknown>(postgres);
  const checkpoints = createReadModelCheckpoints(db);
  await checkpoints.prepare();
  const store = await openEventStoreDb({
    connectionString: remote.esdbUrl,
    logger,
    connectionName: `ponte-operator-${service}-${remote.instance}`,
    isSkipped: skippedBy(state.operator),
  });
  const { operator, parkedEvents, lease } = state;
  const engines = { lease, store, readModels: db, shadowReadModels: postgresShadowReadModels(postgres, db), operator };
  return {
    operator,
    parkedEvents,
    readModels,
    timeReaders,
    systemClock,
    ids: createIds(),
    rewindable: [...(categoriesOf(service).length > 0 ? [relayName(service)] : []), ...relays],
    readModelCheckpoints: () => checkpoints.list(),
    timePositions: () => ownPositionsOf(timeReaders, db),
    head: () => store.head(),
    readStream: (stream, revision) => shownEvents(store, stream, revision),
    findEvent: (stream, event) => findEvent(store, stream, event),
    deadLetters: () =>
      readDeadLetters({ connection: connectionOf(remote.kafka), namespace: remote.kafka.prefix, service, logger }),
    offlineDuty: offlineDuties(engines, readModels, timeReaders),
    ...(service === 'gateway'
      ? { forgetAnswers: async () => (await openPostgresEdgeState(postgres)).sweep(END_OF_TIME) }
      : {}),
    async rewrapKeys() {
      const { rewrapped, current } = await rewrapPostgresKeys(postgres, remote.masterKey);
      return (
        `${rewrapped} keys of personal data were re-encrypted under the master key ` +
        `${remote.masterKey.fingerprint}; ${current} were already under it`
      );
    },
    async close() {
      await store.close();
      await db.destroy();
      await state.close();
      await postgres.close();
    },
  };
}
