import type { EventStore, LogSlice } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { Kysely, Transaction } from 'kysely';
import type { RebuildableView } from './rebuildable';
import { createViewCheckpoints } from './view-checkpoints';
import type { PartFilling, ViewPart } from './view-part';
import { versioned } from './view-part';

/** Parts that one projector keeps up to date, in one transaction for each run of the log. */
export interface ViewReader {
  /** Names the projector: what operators call it. */
  readonly name: string;
  readonly parts: readonly ViewPart[];
}

/** Streams kept in memory by a projector: those that move now. */
const LIVE_STREAMS = 1_024;

/**
 * The name of its lease and checkpoint. With a new version of a part the log is read from its beginning into the new
 * tables, while processes of the earlier version keep theirs up to date.
 */
export const checkpointOf = ({ name, parts }: ViewReader): string => {
  const newest = parts.reduce((sum, { version }) => sum + version - 1, 1);
  return versioned(name, newest);
};

const categoriesOf = ({ parts }: ViewReader): string[] => [...new Set(parts.flatMap(({ categories }) => categories))];

/** How these parts are rebuilt: see {@link RebuildableView}. */
export function rebuildableView(reader: ViewReader): RebuildableView {
  return {
    name: reader.name,
    reader: checkpointOf(reader),
    categories: categoriesOf(reader),
    tables: reader.parts.flatMap(({ tables }) => tables),
    async open(db, store) {
      for (const part of reader.parts) await part.prepare(db);
      const fillings = reader.parts.map((part) => part.open(db, store));
      return {
        apply: async ({ events }) => {
          for (const write of await folded(reader, fillings, events)) await write(db);
        },
      };
    },
  };
}

/** Rolls a transaction back: a process with a newer lease writes these rows. */
class LeaseLost extends Error {}

export interface CatchUpOptions {
  readonly reader: ViewReader;
  readonly views: Kysely<unknown>;
  readonly store: Pick<EventStore, 'read'>;
}

/**
 * What a projector does with a slice: it writes the rows and its checkpoint in one transaction, or neither. A process
 * that lost the lease writes nothing. After a failure, and under each new lease, it folds the streams again: rows that
 * a failed transaction or a database that failed over has lost are written when their events come again.
 */
export function catchUp({ reader, views, store }: CatchUpOptions): {
  readonly name: string;
  readonly categories: readonly string[];
  apply(slice: LogSlice, fence: number): Promise<void>;
} {
  const name = checkpointOf(reader);
  const { saveIn } = createViewCheckpoints(views);
  let held: { readonly fence: number; readonly fillings: readonly PartFilling[] } | undefined;
  return {
    name,
    categories: categoriesOf(reader),
    async apply({ events, position }, fence) {
      if (held?.fence !== fence)
        held = { fence, fillings: reader.parts.map((part) => part.open(views, store, LIVE_STREAMS)) };
      try {
        const writes = await folded(reader, held.fillings, events);
        await views.transaction().execute(async (trx: Transaction<unknown>) => {
          for (const write of writes) await write(trx);
          // After the rows: a rebuild locks the tables first, and the other order would be a deadlock with it.
          if (!(await saveIn(trx, name, position, fence))) throw new LeaseLost();
        });
      } catch (error) {
        held = undefined;
        // The projector finds the same when it saves its place, and ends its turn.
        if (!(error instanceof LeaseLost)) throw error;
      }
    },
  };
}

async function folded(
  { parts }: ViewReader,
  fillings: readonly PartFilling[],
  events: LogSlice['events'],
): Promise<Awaited<ReturnType<PartFilling['fold']>>[]> {
  const writes = [];
  for (const [at, part] of parts.entries()) {
    const own = events.filter(({ stream }) => part.categories.includes(categoryOf(stream)));
    const filling = fillings[at];
    if (own.length > 0 && filling) writes.push(await filling.fold(own));
  }
  return writes;
}
