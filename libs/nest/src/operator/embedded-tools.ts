import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded } from '@ponte/event-sourcing';
import { findEvent } from '@ponte/event-sourcing';
import type { LogReport, SqliteEventStore } from '@ponte/eventstore-sqlite';
import type { RebuildableReadModel } from '@ponte/read-models';
import {
  checkSqliteLog,
  EventLogDamaged,
  EventStoreLocked,
  openSqliteEventStore,
  openSqliteState,
  openSqliteReadModels,
  rewrapSqliteKeys,
  sqliteShadowReadModels,
} from '@ponte/eventstore-sqlite';
import { createReadModelCheckpoints } from '@ponte/read-models';
import { createIds, systemClock } from '../clocks';
import type { Runtime } from '../process/runtime';
import { offlineDuties } from './offline-duties';
import { ownPositionsOf } from './time-positions';
import { LOG_CHECK, LOG_FIND, LOG_HEAD, LOG_SHOW, OperatorError, READING, perform, shownEvents } from '@ponte/operator';
import type { OperatorTools, ShownEvent, TimeReader } from '@ponte/operator';

/** Refuses a folder without data, so that a command never answers from a new, empty one because of a wrong path. */
export function assertDataFolder(folder: string): void {
  if (!existsSync(join(folder, 'events.db')))
    throw new OperatorError(
      `${folder} is not a data folder of Ponte: correct PONTE_DATA_DIR, or start Ponte there once`,
    );
}

/**
 * The operator's tools for a data folder. While a process owns the folder, that process executes the actions and
 * reports the end of the log, because no other process can open the log. Otherwise the operator's process is the owner.
 */
export async function openEmbeddedTools(
  { dataDirectory: folder }: Runtime,
  readModels: readonly RebuildableReadModel[],
  relays: readonly string[],
  timeReaders: readonly TimeReader[] = [],
): Promise<OperatorTools> {
  assertDataFolder(folder);
  const file = join(folder, 'events.db');
  const { store, damage } = openUnlessOwned(file);
  // While a process owns the folder, only that process may checkpoint the write-ahead logs.
  const state = openSqliteState(join(folder, 'state.db'), 'normal', store ? 'checkpoints' : 'never');
  const db = openSqliteReadModels<unknown>(
    join(folder, 'read-models.db'),
    'normal',
    'inline',
    store ? 'checkpoints' : 'never',
  );
  const checkpoints = createReadModelCheckpoints(db);
  if (store) await checkpoints.prepare();
  const { operator, parkedEvents, lease } = state;
  const tools: OperatorTools = {
    operator,
    parkedEvents,
    readModels,
    timeReaders,
    systemClock,
    ids: createIds(),
    rewindable: relays,
    readModelCheckpoints: () => checkpoints.list(),
    timePositions: () => ownPositionsOf(timeReaders, db),
    async head() {
      if (damage) throw damage;
      return store ? store.head() : headFromOwner(tools);
    },
    async readStream(stream, revision) {
      if (damage) throw damage;
      return store ? shownEvents(store, stream, revision) : streamThroughOwner(tools, stream, revision);
    },
    findEvent: (...event) => findInLog(tools, { store, damage }, ...event),
    checkLog: async () => (damage ? checkSqliteLog(file) : store ? store.check(true) : checkThroughOwner(tools)),
    offlineDuty: store
      ? offlineDuties(
          {
            lease,
            store,
            readModels: db,
            shadowReadModels: sqliteShadowReadModels(db, join(folder, 'read-models.rebuild.db')),
            operator,
          },
          readModels,
          timeReaders,
        )
      : () => undefined,
    nothingRuns: store !== undefined,
    async rewrapKeys() {
      if (damage) throw damage;
      if (!store)
        throw new OperatorError('stop the processes that use this folder first: they have the master key in memory');
      return (
        `${await rewrapSqliteKeys(folder)} keys of personal data were re-encrypted under a new master key; ` +
        `master.previous.key decrypts older backups`
      );
    },
    async close() {
      await db.destroy();
      await state.close();
      await store?.close();
    },
  };
  return tools;
}

/** Neither is there if another process owns the log. A damaged log can still be checked. */
interface OpenedLog {
  readonly store?: SqliteEventStore | undefined;
  readonly damage?: EventLogDamaged | undefined;
}

function openUnlessOwned(file: string): OpenedLog {
  try {
    return { store: openSqliteEventStore({ file }) };
  } catch (error) {
    if (error instanceof EventStoreLocked) return {};
    if (error instanceof EventLogDamaged) return { damage: error };
    throw error;
  }
}

/** Longer than any program waits for an answer. */
const UNANSWERED_MS = 3_600_000;

/**
 * Makes the process that owns the log run a verb that reads, and returns the detail of the outcome. Nothing of it is
 * kept, because a script may read often and an answer may be long. Reads of programs that were killed are deleted too.
 */
async function readThroughOwner(
  tools: OperatorTools,
  verb: string,
  subject: Readonly<Record<string, string>>,
  reason: string,
): Promise<string> {
  const id = tools.ids.next();
  const { actions } = tools.operator;
  const { succeeded, detail } = await perform(tools, verb, subject, { actor: 'operator', reason }, id).finally(() =>
    actions.forget(READING, id, new Date(tools.systemClock.now() - UNANSWERED_MS).toISOString()),
  );
  if (!succeeded) throw new OperatorError(detail);
  return detail;
}

const checkThroughOwner = async (tools: OperatorTools): Promise<LogReport> =>
  JSON.parse(await readThroughOwner(tools, LOG_CHECK, {}, 'to check the log')) as LogReport;

async function streamThroughOwner(
  tools: OperatorTools,
  stream: string,
  revision?: number,
): Promise<readonly ShownEvent[]> {
  const subject = { stream, ...(revision === undefined ? {} : { revision: `${revision}` }) };
  return JSON.parse(await readThroughOwner(tools, LOG_SHOW, subject, 'to show a stream')) as readonly ShownEvent[];
}

async function findInLog(
  tools: OperatorTools,
  { store, damage }: OpenedLog,
  stream: string,
  event: Pick<Recorded, 'id' | 'revision'>,
): Promise<Recorded | undefined> {
  if (damage) throw damage;
  if (store) return findEvent(store, stream, event);
  const subject = { stream, event: event.id, revision: `${event.revision}` };
  const found = await readThroughOwner(tools, LOG_FIND, subject, 'to find an event');
  return found === '' ? undefined : (JSON.parse(found) as Recorded);
}

/** Null if the owner of the log does not answer. */
const headFromOwner = (tools: OperatorTools): Promise<string | undefined | null> =>
  readThroughOwner(tools, LOG_HEAD, {}, 'to show how far readers are behind').then(
    (detail) => detail || undefined,
    (error: unknown) => {
      if (error instanceof OperatorError) return null;
      throw error;
    },
  );
