import type { RebuildableReadModel } from '@ponte/read-models';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { OperatorTools } from '@ponte/operator';
import { operatorVerbs } from '@ponte/operator';
import { anEvent, freshId, temporaryFolder } from '@ponte/testing';
import { sql } from 'kysely';
import pino from 'pino';
import type { Engines } from '../engines/engines';
import { openEmbeddedEngines } from '../engines/embedded-engines';
import { readRuntime } from '../process/runtime';
import { offlineDuties } from './offline-duties';
import { serveOperators } from './duties';

let folder: ReturnType<typeof temporaryFolder>;
let engines: Engines;
beforeEach(async () => {
  folder = temporaryFolder();
  const runtime = readRuntime({ PONTE_DATA_DIR: folder.path, PONTE_LOG_LEVEL: 'silent' });
  engines = await openEmbeddedEngines(runtime, 'test', { logger: pino({ level: 'silent' }) });
  await engines.store.append('order-1', NO_STREAM, anEvent());
});
afterEach(async () => {
  await engines.close();
  folder.remove();
});

/** A read model whose rows are the ids of orders. */
const readModel = (reader: string, ...tables: string[]): RebuildableReadModel => ({
  ...{ name: 'apples', reader, tables, categories: ['order'] },
  async open(db) {
    for (const table of tables)
      await sql`CREATE TABLE IF NOT EXISTS ${sql.table(table)} (id TEXT PRIMARY KEY)`.execute(db);
    return {
      apply: async ({ events }) => {
        for (const table of tables)
          for (const { stream } of events) await sql`INSERT INTO ${sql.table(table)} VALUES (${stream})`.execute(db);
      },
    };
  },
});

const countIn = async (table: string): Promise<unknown> =>
  (await sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(table)}`.execute(engines.readModels)).rows[0]?.n;

/** Runs the command line of an image whose version has this read model. Returns the process that did the work. */
async function rebuild(ofImage: RebuildableReadModel): Promise<string | null | undefined> {
  const tools = {
    ...{ operator: engines.operator, systemClock: engines.systemClock, ids: { next: freshId } },
    ...{ readModels: [ofImage], offlineDuty: offlineDuties(engines, [ofImage], []) },
  } as unknown as OperatorTools;
  const [verb] = operatorVerbs(
    async () => tools,
    () => undefined,
  ).filter((one) => one.name() === 'read-models');
  await verb?.parseAsync(['rebuild', 'apples', '--reason', 'upgrade', '--actor', 'ops'], { from: 'user' });
  return (await engines.operator.actions.list(1))[0]?.takenBy;
}

test.each([
  ['another version', readModel('apples_v2', 'apples_v2'), 'apples_v2'],
  ['a further table', readModel('apples', 'apples', 'pears'), 'pears'],
])('a rebuild by a new image of %s is not left to a running process of the earlier version', async (_, next, table) => {
  const earlier = readModel('apples', 'apples');
  for (const one of [earlier, next]) await one.open(engines.readModels, engines.store);
  serveOperators(engines, [earlier]);
  engines.timers.start();
  expect([await rebuild(next), await countIn(table)]).toEqual(['operator ops', 1]);
  expect([await rebuild(earlier), await countIn('apples')]).toEqual(['standalone', 1]);
});
