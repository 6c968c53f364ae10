import type { Kysely } from 'kysely';
import type { EventStore, LogSlice, Position, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import type { OpenShadowViews } from './shadow-views';
import type { Filling, RebuildableView } from './rebuildable';
import { createViewCheckpoints, replaceCheckpoint } from './view-checkpoints';

export interface RebuildOptions {
  readonly store: EventStore;
  /** The database that is read. */
  readonly views: Kysely<unknown>;
  readonly shadow: OpenShadowViews;
  /** Several are filled in one reading of the log. */
  readonly rebuild: readonly RebuildableView[];
  /** Ends it before its end, with nothing changed. */
  readonly signal?: AbortSignal;
  readonly progress?: (events: number, position: Position) => void;
}

export interface Rebuilt {
  /** Events that were read of the categories of these views. */
  readonly events: number;
  /** The tables show everything up to here; undefined: the log is empty. */
  readonly position: Position | undefined;
}

/** As many as a store gives at once. */
const BATCH = 4_096;
/** Behind by less than this many readings to the end, the rest is read while everybody waits. */
const ROUNDS = 3;

/**
 * Makes the tables of views again from the log, beside those that are read, and puts them in their place. Safe while
 * the service runs: until the last moment nothing of it is touched. In that moment no one can write the old tables, and
 * what was written into them before is in the log before the end that the new ones are then brought to; so nothing is
 * lost, even from writers that are far behind.
 */
export async function rebuildViews(options: RebuildOptions): Promise<Rebuilt> {
  const { store, rebuild, views } = options;
  const shadow = await options.shadow();
  try {
    const pass = new Pass(options, await Promise.all(rebuild.map((view) => view.open(shadow.db, store))));
    await shadow.opened?.();
    for (let round = 0; round < ROUNDS; round += 1) await pass.upTo(await store.head());
    // What is to be replaced must be there, also where the service never ran.
    for (const view of rebuild) await view.open(views, store);
    await createViewCheckpoints(views).prepare();
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
    return { events: pass.events, position: pass.position };
  } finally {
    await shadow.close();
  }
}

/** One reading of the log for all of them, in as many parts as it takes to come to its end. */
class Pass {
  position: Position | undefined;
  events = 0;

  constructor(
    private readonly options: RebuildOptions,
    private readonly fillings: readonly Filling[],
  ) {}

  async upTo(goal: Position | undefined): Promise<void> {
    const { store, signal, rebuild, progress } = this.options;
    const there = (): boolean =>
      goal === undefined || (this.position !== undefined && store.comparePositions(this.position, goal) >= 0);
    if (there()) return;
    const categories = [...new Set(rebuild.flatMap((view) => view.categories))];
    const subscription = store.subscribe({ categories, batchSize: BATCH, after: this.position });
    try {
      for await (const slice of subscription) {
        signal?.throwIfAborted();
        if (slice.events.length > 0) await this.fill(slice);
        this.position = slice.position;
        this.events += slice.events.length;
        progress?.(this.events, slice.position);
        if (there()) break;
      }
    } finally {
      await subscription.close();
    }
    for (const filling of this.fillings) await filling.settle?.();
  }

  /** Each gets its own. */
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
        // Only of several categories the order has to be made again.
        const ours = own.length === 1 ? first : events.filter((event) => categories.includes(categoryOf(event.stream)));
        if (ours.length > 0) await this.fillings[at]?.apply({ ...slice, events: ours });
      }),
    );
  }
}
