import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RebuildableView } from '@ponte/engines';
import { createViewCheckpoints, EventStoreLocked, openSqliteEventStore, openSqliteState, openSqliteViews, rewrapSqliteKeys, sqliteBeside } from '@ponte/engines';
import type { EventStore } from '@ponte/event-sourcing';
import { systemClock } from '../defaults';
import { createIds } from '../ids';
import type { Runtime } from '../runtime';
import { aloneOn } from './alone';
import { OperatorFault } from './desk';
import type { TimeReader } from './time-reader';
import type { OperatorTools } from './tools';
import { perform } from './tools';

/**
 * The tools of a data folder. While a process owns it, that process does what is asked and tells where the log ends, since nobody else can
 * open the log; while none does, the verb is the owner.
 */
export async function openEmbeddedTools({ dataDirectory: folder }: Runtime, views: readonly RebuildableView[], relays: readonly string[], timeReaders: readonly TimeReader[] = []): Promise<OperatorTools> {
  if (!existsSync(join(folder, 'events.db'))) throw new OperatorFault(`${folder} is no data folder of Ponte`);
  const store = openUnlessOwned(join(folder, 'events.db'));
  const state = openSqliteState(join(folder, 'state.db'));
  const db = openSqliteViews<unknown>(join(folder, 'views.db'));
  const checkpoints = createViewCheckpoints(db);
  if (store) await checkpoints.prepare();
  const { operator, parkedEvents, lease } = state;
  const tools: OperatorTools = {
    operator, parkedEvents, views, timeReaders, systemClock, ids: createIds(systemClock), rewindable: relays,
    viewCheckpoints: () => checkpoints.list(),
    placeOf: async (view) => view.position?.(db),
    head: async () => (store ? store.head() : askedHead(tools)),
    alone: store ? aloneOn({ lease, store, views: db, viewsBeside: sqliteBeside(db, join(folder, 'views.rebuild.db')), operator }, views, timeReaders) : () => undefined,
    async rewrapKeys() {
      if (!store) throw new OperatorFault('stop what runs on this folder first: it has the master key in memory');
      return `${await rewrapSqliteKeys(folder)} keys of persons came under a new master key; master.previous.key opens backups from before`;
    },
    async close() {
      await db.destroy();
      await state.close();
      await store?.close();
    },
  };
  return tools;
}

function openUnlessOwned(file: string): EventStore | undefined {
  try {
    return openSqliteEventStore({ file });
  } catch (error) {
    if (error instanceof EventStoreLocked) return undefined;
    throw error;
  }
}

/** Null when whoever owns the folder does not answer. */
async function askedHead(tools: OperatorTools): Promise<string | undefined | null> {
  const { succeeded, detail } = await perform(tools, 'log head', {}, { actor: 'operator', reason: 'to tell how far readers are behind' });
  return succeeded ? detail || undefined : null;
}
