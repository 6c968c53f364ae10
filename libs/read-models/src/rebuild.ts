import type { Kysely } from 'kysely';
import type { EventStore, LogSlice, Position, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { OpenShadowReadModels } from './shadow-read-models';
import type { Filling, RebuildableReadModel } from './rebuildable';
import { createReadModelCheckpoints, replaceCheckpoint } from './read-model-checkpoints';

interface RebuildOptions {
  readonly store: EventStore;
  /** The database in use. */
  readonly readModels: Kysely<unknown>;
  readonly shadow: OpenShadowReadModels;
  /** The read models to rebuild, all in one pass over the log. */
  readonly rebuild: readonly RebuildableReadModel[];
  /** Cancels the rebuild without changing anything. */
  readonly signal?: AbortSignal;
}

interface Rebuilt {
  /** Number of events read in the categories of these read models. */
  readonly events: number;
  /** The tables include everything up to this position; undefined if the log is empty. */
  readonly position: Position | undefined;
}

/** The largest slice that a store returns. */
const BATCH = 4_096;
/** Passes to the end of the log before the tables are locked, so that little remains to be read while others wait. */
const ROUNDS = 3;

/**
 * Rebuilds the tables of read models from the log, beside the tables in use, and then replaces those. It is safe while
 * the service runs, because the tables in use are touched only for the final exchange. During the exchange no process
 * can write the old tables, and everything written to them before is in the log up to the end that the new tables are
 * then brought to. So nothing is lost, even from writers that are far behind.
 */
export async function rebuildReadModels(options: RebuildOptions): Promise<Rebuilt> {
  const { store, rebuild, readModels } = options;
  const shadow = await options.shadow();
  try {
    const pass = new Pass(options, await Promise.all(rebuild.map((readModel) => readModel.open(shadow.db, store))));
    await shadow.opened?.();
    for (let round = 0; round < ROUNDS; round += 1) await pass.upTo(await store.head());
    // The tables to be replaced must exist, even where the service never ran.
    for (const readModel of rebuild) await readModel.open(readModels, store);
    await createReadModelCheckpoints(readModels).prepare();
    await shadow.replace(
      rebuild.flatMap(({ tables }) => tables),
      async () => pass.upTo(await store.head()),
      async (trx) => {
        options.signal?.throwIfAborted();
        const { position } = pass;
        if (position === undefined) return;
        for (const { reader } of rebuild) await replaceCheckpoint(trx, reader, position);
      },
    );
    for (const readModel of rebuild) await readModel.complement?.(readModels, store);
    return { events: pass.events, position: pass.position };
  } finally {
    await shadow.close();
  }
}

/** One pass over the log for all read models, in as many steps as it takes to reach the end. */
class Pass {
  position: Position | undefined;
  events = 0;

  constructor(
    private readonly options: RebuildOptions,
    private readonly fillings: readonly Filling[],
  ) {}

  async upTo(goal: Position | undefined): Promise<void> {
    const { store, signal, rebuild } = this.options;
    const there = (): boolean =>
      goal === undefined || (this.position !== undefined && store.comparePositions(this.position, goal) >= 0);
    if (there()) return;
    const categories = [...new Set(rebuild.flatMap((readModel) => readModel.categories))];
    const subscription = store.subscribe({ categories, batchSize: BATCH, after: this.position });
    try {
      for await (const slice of subscription) {
        signal?.throwIfAborted();
        if (slice.events.length > 0) await this.fill(slice);
        this.position = slice.position;
        this.events += slice.events.length;
        if (there()) break;
      }
    } finally {
      await subscription.close();
    }
    for (const filling of this.fillings) await filling.settle?.();
  }

  /** Passes each read model the events of its categories. */
  private async fill({ events, ...slice }: LogSlice): Promise<void> {
    const byCategory = new Map<string, Recorded[]>();
    for (const event of events) {
      const category = categoryOf(event.stream);
      const known = byCategory.get(category);
      if (known) known.push(event);
      else byCategory.set(category, [event]);
    }
    await Promise.all(
      this.options.rebuild.map(async ({ categories }, at) => {
        const own = categories.map((category) => byCategory.get(category) ?? []);
        const [first = []] = own;
        // With several categories, the log order has to be restored.
        const ours = own.length === 1 ? first : events.filter((event) => categories.includes(categoryOf(event.stream)));
        if (ours.length > 0) await this.fillings[at]?.apply({ ...slice, events: ours });
      }),
    );
  }
}
