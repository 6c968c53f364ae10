import { pause } from '@ponte/concurrency';
import type { EngineLogger } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { Projector } from '@ponte/read-models';
import { catchUp, createReadModelCheckpoints, eventTablePart, runProjector } from '@ponte/read-models';
import { anEvent, MemoryEventStore } from '@ponte/testing';
import { Postgres } from './postgres';
import { openPostgresReadModels } from './read-models/read-models';
import type { LeaseTimes } from './state/leases';
import { openPostgresState } from './state/state';

export const EVENTS = 100;
const READER = 'counted';
/** The projector counts each event once, in one row. */
const { part, tableIn } = eventTablePart<{ readonly id: string; readonly times: bigint }>({
  table: READER,
  columns: { id: 'text', times: 'sum' },
  key: ['id'],
  from: [{ category: 'counter', changesOf: () => ({ put: { id: 'all', times: 1n } }) }],
});

interface Counting {
  readonly projector: Projector;
  /** The number of events counted by all processes. */
  counted(): Promise<number>;
  close(): Promise<void>;
}

/** A process that counts the events of a log, which is the same in each process, one at a time. */
export async function countEvents(
  url: string,
  schema: string,
  { slowMs, times, logger }: { readonly slowMs: number; readonly times: LeaseTimes; readonly logger: EngineLogger },
): Promise<Counting> {
  const postgres = await Postgres.open({ url, schema, logger });
  const state = await openPostgresState(postgres, times);
  const readModels = await openPostgresReadModels<unknown>(postgres);
  const table = tableIn(readModels);
  await createReadModelCheckpoints(readModels).prepare();
  await table.prepare();
  const store = new MemoryEventStore();
  for (let at = 0; at < EVENTS; at += 1) await store.append(`counter-${at}`, NO_STREAM, anEvent());
  const following = catchUp({ reader: { name: READER, parts: [part] }, readModels, store });
  const projector = runProjector({
    ...following,
    store,
    lease: state.lease,
    logger,
    batchSize: 1,
    retryMs: [50],
    apply: async (slice, fence) => {
      await following.apply(slice, fence);
      await pause(slowMs);
    },
  });
  return {
    projector,
    counted: async () => Number((await table.select((rows) => rows))[0]?.times ?? 0),
    close: async () => {
      await projector.stop();
      await state.close();
      await readModels.destroy();
      await postgres.close();
    },
  };
}
