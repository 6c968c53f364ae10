import type { Checkpoints, EventStore, LogSlice, Position } from '@ponte/event-sourcing';
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
        settle: async () => {
          for (const filling of fillings) await filling.complete?.();
        },
      };
    },
  };
}

/** Rolls a transaction back: the checkpoint is no longer where it was, or another process has a newer lease. */
class CheckpointMoved extends Error {}

export interface CatchUpOptions {
  readonly reader: ViewReader;
  readonly views: Kysely<unknown>;
  readonly store: Pick<EventStore, 'read' | 'comparePositions'>;
  /** Of the projectors of this database; troubles are reported to it. */
  readonly checkpoints?: Checkpoints;
}

/** What a projector needs to keep the tables of a reader up to date. */
export interface CatchUp {
  readonly name: string;
  readonly categories: readonly string[];
  readonly checkpoints: Checkpoints;
  apply(slice: LogSlice, fence: number): Promise<void>;
}

/**
 * What a projector does with a slice: it writes the rows and its checkpoint in one transaction, or neither. A process
 * that lost the lease writes nothing.
 */
export function catchUp(options: CatchUpOptions): CatchUp {
  return options.reader.parts.some(({ countsEvents }) => countsEvents) ? counting(options) : folding(options);
}

/**
 * After a failure, and under each new lease, it folds the streams again: rows that a failed transaction or a database
 * that failed over has lost are written when their events come again.
 */
function folding({ reader, views, store, checkpoints = createViewCheckpoints(views) }: CatchUpOptions): CatchUp {
  const name = checkpointOf(reader);
  const { saveIn } = createViewCheckpoints(views);
  let held: { readonly fence: number; readonly fillings: readonly PartFilling[] } | undefined;
  return {
    name,
    categories: categoriesOf(reader),
    checkpoints,
    async apply({ events, position }, fence) {
      if (held?.fence !== fence)
        held = { fence, fillings: reader.parts.map((part) => part.open(views, store, LIVE_STREAMS)) };
      try {
        const writes = await folded(reader, held.fillings, events);
        await inTransaction(views, writes, (trx) => saveIn(trx, name, position, fence));
      } catch (error) {
        held = undefined;
        // The projector finds the same when it saves its place, and ends its turn.
        if (!(error instanceof CheckpointMoved)) throw error;
      }
    },
  };
}

/**
 * Each event takes effect once. The checkpoint moves only from where this holder saw it: a transaction that was
 * committed though its answer was lost, a rebuild, or a process with another lease has moved it meanwhile. Then the
 * transaction is rolled back, and only what comes after the place that is found now is applied.
 */
function counting({ reader, views, store, checkpoints = createViewCheckpoints(views) }: CatchUpOptions): CatchUp {
  const name = checkpointOf(reader);
  const { moveIn } = createViewCheckpoints(views);
  const fillings = reader.parts.map((part) => part.open(views, store, LIVE_STREAMS));
  let known: { readonly fence: number; at: Position | undefined } | undefined;
  const isAfter = (position: Position, at: Position | undefined): boolean =>
    at === undefined || store.comparePositions(position, at) > 0;

  /** Carries a move of the checkpoint out; again from where it is found, when it has moved. False without the lease. */
  async function moveTo(position: Position, fence: number, move: (at: Position | undefined) => Promise<boolean>) {
    const held = known?.fence === fence ? known : { fence, at: await checkpoints.load(name) };
    known = held;
    while (isAfter(position, held.at)) {
      const before = held.at;
      if (await move(before)) {
        held.at = position;
        return true;
      }
      const now = await checkpoints.load(name);
      if (now === before) return false;
      // What lies between was applied and is lost. The next turn begins at the earlier place.
      if (now === undefined || (before !== undefined && isAfter(before, now)))
        throw new Error(`the checkpoint of ${name} moved back from ${before} to ${now}`);
      held.at = now;
    }
    return true;
  }

  return {
    name,
    categories: categoriesOf(reader),
    checkpoints: {
      load: (own) => checkpoints.load(own),
      save: (_own, position, fence = 0) => moveTo(position, fence, (at) => moveIn(views, name, at, position, fence)),
      trouble: async (own, trouble, at) => checkpoints.trouble?.(own, trouble, at),
    },
    async apply({ events, position }, fence) {
      await moveTo(position, fence, async (at) => {
        const writes = await folded(
          reader,
          fillings,
          events.filter((event) => isAfter(event.position, at)),
        );
        return inTransaction(views, writes, (trx) =>
          moveIn(trx, name, known?.fence === fence ? known.at : at, position, fence),
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

/** The checkpoint after the rows: a rebuild locks the tables first, and the other order would be a deadlock with it. */
async function inTransaction(
  views: Kysely<unknown>,
  writes: readonly Write[],
  save: (trx: Transaction<unknown>) => Promise<boolean>,
): Promise<void> {
  await views.transaction().execute(async (trx: Transaction<unknown>) => {
    for (const write of writes) await write(trx);
    if (!(await save(trx))) throw new CheckpointMoved();
  });
}

async function folded(
  { parts }: ViewReader,
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
