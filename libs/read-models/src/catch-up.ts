import type { Checkpoints, EventStore, LogSlice, Position } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { Kysely, Transaction } from 'kysely';
import type { RebuildableReadModel } from './rebuildable';
import { createReadModelCheckpoints } from './read-model-checkpoints';
import type { PartFilling, ReadModelReader } from './read-model-part';
import { versioned } from './read-model-part';

/** The number of streams that a projector keeps in memory. */
const LIVE_STREAMS = 1_024;

/**
 * The name of its lease and checkpoint. A new version of a part changes the name: the log is then read from its
 * beginning into new tables, while processes of the earlier version keep the old tables up to date.
 */
export const checkpointOf = ({ name, parts }: ReadModelReader): string => {
  const newest = parts.reduce((sum, { version }) => sum + version - 1, 1);
  return versioned(name, newest);
};

const categoriesOf = ({ parts }: ReadModelReader) => [...new Set(parts.flatMap(({ categories }) => categories))];

/** Describes how these parts are rebuilt: see {@link RebuildableReadModel}. */
export function rebuildableReadModel(reader: ReadModelReader): RebuildableReadModel {
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
        settle: async () => {
          for (const filling of fillings) await filling.complete?.();
        },
      };
    },
  };
}

/** Rolls a transaction back: the checkpoint has moved meanwhile, or another process has a newer lease. */
class CheckpointMoved extends Error {}

interface CatchUpOptions {
  readonly reader: ReadModelReader;
  readonly readModels: Kysely<unknown>;
  readonly store: Pick<EventStore, 'read' | 'comparePositions'>;
  /** The checkpoints of this database's projectors; failures are reported to it too. */
  readonly checkpoints?: Checkpoints;
}

/** What a projector needs to keep the tables of a reader up to date. */
interface CatchUp {
  readonly name: string;
  readonly categories: readonly string[];
  readonly checkpoints: Checkpoints;
  apply(slice: LogSlice, fence: number): Promise<void>;
}

/**
 * Handles the slices of a projector: the rows and the checkpoint are written in one transaction. A process that lost
 * the lease writes nothing.
 */
export function catchUp(options: CatchUpOptions): CatchUp {
  return options.reader.parts.some(({ countsEvents }) => countsEvents) ? counting(options) : folding(options);
}

/**
 * Folds the streams again after a failure and under each new lease. So rows that were lost with a failed transaction or
 * a database failover are written when their events are delivered again.
 */
function folding({ reader, readModels, store, checkpoints: given }: CatchUpOptions): CatchUp {
  const name = checkpointOf(reader);
  const stored = createReadModelCheckpoints(readModels);
  const checkpoints = given ?? stored;
  let held: { readonly fence: number; readonly fillings: readonly PartFilling[] } | undefined;
  return {
    name,
    categories: categoriesOf(reader),
    checkpoints,
    async apply({ events, position }, fence) {
      if (held?.fence !== fence)
        held = { fence, fillings: reader.parts.map((part) => part.open(readModels, store, LIVE_STREAMS)) };
      try {
        const writes = await folded(reader, held.fillings, events);
        await inTransaction(readModels, writes, (trx) => stored.saveIn(trx, name, position, fence));
      } catch (error) {
        held = undefined;
        // The projector gets the same result when it saves its checkpoint, and then ends its turn.
        if (!(error instanceof CheckpointMoved)) throw error;
      }
    },
  };
}

/**
 * Applies each event exactly once. The checkpoint is moved only from the position that this process read. It may have
 * been moved meanwhile: by a transaction that was committed although its answer was lost, by a rebuild, or by a process
 * with another lease. Then the transaction is rolled back, and only events after the position found now are applied.
 */
function counting({ reader, readModels, store, checkpoints: given }: CatchUpOptions): CatchUp {
  const name = checkpointOf(reader);
  const stored = createReadModelCheckpoints(readModels);
  const checkpoints = given ?? stored;
  const fillings = reader.parts.map((part) => part.open(readModels, store, LIVE_STREAMS));
  let known: { readonly fence: number; at: Position | undefined } | undefined;
  const isAfter = (position: Position, at: Position | undefined): boolean =>
    at === undefined || store.comparePositions(position, at) > 0;

  /** Moves the checkpoint; if it has moved meanwhile, tries again from its new position. False without the lease. */
  async function moveTo(position: Position, fence: number, move: (at: Position | undefined) => Promise<boolean>) {
    const checkpoint = known?.fence === fence ? known : { fence, at: await checkpoints.load(name) };
    known = checkpoint;
    while (isAfter(position, checkpoint.at)) {
      const before = checkpoint.at;
      if (await move(before)) {
        checkpoint.at = position;
        return true;
      }
      const now = await checkpoints.load(name);
      if (now === before) return false;
      // Events between the two positions were applied and are lost. The next turn starts at the earlier position.
      if (now === undefined || (before !== undefined && isAfter(before, now)))
        throw new Error(`the checkpoint of ${name} moved back from ${before} to ${now}`);
      checkpoint.at = now;
    }
    return true;
  }

  return {
    name,
    categories: categoriesOf(reader),
    checkpoints: {
      load: (own) => checkpoints.load(own),
      save: (_own, position, fence = 0) =>
        moveTo(position, fence, (at) => stored.moveIn(readModels, name, at, position, fence)),
      trouble: async (own, trouble, at) => checkpoints.trouble?.(own, trouble, at),
    },
    async apply({ events, position }, fence) {
      await moveTo(position, fence, async (at) => {
        const writes = await folded(
          reader,
          fillings,
          events.filter((event) => isAfter(event.position, at)),
        );
        return inTransaction(readModels, writes, (trx) =>
          stored.moveIn(trx, name, known?.fence === fence ? known.at : at, position, fence),
        ).then(
          () => true,
          (error: unknown) => {
            if (error instanceof CheckpointMoved) return false;
            throw error;
          },
        );
      });
    },
  };
}

type Write = Awaited<ReturnType<PartFilling['fold']>>;

/**
 * Writes the checkpoint after the rows: a rebuild locks the tables first, so the other order could deadlock with it.
 */
async function inTransaction(
  readModels: Kysely<unknown>,
  writes: readonly Write[],
  save: (trx: Transaction<unknown>) => Promise<boolean>,
): Promise<void> {
  await readModels.transaction().execute(async (trx: Transaction<unknown>) => {
    for (const write of writes) await write(trx);
    if (!(await save(trx))) throw new CheckpointMoved();
  });
}

async function folded(
  { parts }: ReadModelReader,
  fillings: readonly PartFilling[],
  events: LogSlice['events'],
): Promise<Write[]> {
  const writes = [];
  for (const [at, part] of parts.entries()) {
    const own = events.filter(({ stream }) => part.categories.includes(categoryOf(stream)));
    const filling = fillings[at];
    if (own.length > 0 && filling) writes.push(await filling.fold(own));
  }
  return writes;
}
