import type { OnModuleInit, Type, OnApplicationBootstrap, OnApplicationShutdown, Provider } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Page } from '@ponte/contracts';
import type {
  PageOf,
  RowSource,
  Shown,
  ReaderPart,
  ReadModelRow,
  ReadModelTable,
  ListOptions,
  Projector,
  RebuildableReadModel,
} from '@ponte/read-models';
import { listPart, rowsFrom, catchUp, readersOf, rebuildableReadModel, runProjector } from '@ponte/read-models';
import type { Decider, DomainEvent, Checkpoints, EventStore, Lease, Recorded } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { InjectGiven } from '../inject-given';
import { READ_MODELS, EVENT_STORE, LEASE, LOGGER, READ_MODEL_CHECKPOINTS } from '../tokens';

/** The value type of each kind of column. */
interface ValueOf {
  readonly text: string;
  readonly 'text?': string | null;
  readonly integer: number;
  readonly 'integer?': number | null;
  readonly boolean: boolean;
  readonly json: unknown;
}
type Columns = Readonly<Record<string, keyof ValueOf>>;
type RowWith<C extends Columns> = ReadModelRow & { readonly [Name in keyof C]: ValueOf[C[Name]] };
/** The result of `rows`: a row, several rows with different ids, or undefined if a stream has none yet. */
type Rows<C extends Columns> = RowWith<C> | readonly RowWith<C>[] | undefined;
type Single<R> = R extends readonly (infer Row)[] ? Row : NonNullable<R>;
/** Members that are not columns are not stored. */
type RowIn<C extends Columns, R> = ReadModelRow & { readonly [Name in keyof C & keyof Single<R>]: Single<R>[Name] };

interface ReadModelOptions<S, E extends DomainEvent, C extends Columns, R extends Rows<C>> {
  readonly table: string;
  /**
   * Default: 1. Raise it when the columns or the meaning of the rows change. The new version has its own table and
   * checkpoint, see docs/recipes/add-a-read-model.md.
   */
  readonly version?: number;
  /**
   * The name of the projector that keeps the table up to date; default: the table's name. Read models with the same
   * reader share a subscription and a checkpoint.
   */
  readonly reader?: string;
  /** The decider whose events the rows are computed from, by `evolve`. */
  readonly of: Pick<Decider<never, S, E>, 'category' | 'initial' | 'events' | 'evolve'>;
  /** Every column besides `id`, `revision` and `created_at` (which orders pages). */
  readonly columns: C;
  /** Combinations of columns by which pages are selected. */
  readonly indices?: readonly (readonly NoInfer<keyof C & string>[])[];
  /** Returns the rows of a stream, each with a different id; undefined if there are none yet. */
  readonly rows: (shown: Shown<S>) => R;
  /** Rows from streams of other categories, which are written first. */
  readonly also?: readonly RowSource<NoInfer<RowIn<C, R>>>[];
}

/** A list that is computed from the log. Lost rows are written again, and no decision may be based on it. */
interface ReadModel<S, Row extends ReadModelRow> {
  readonly readModels: Kysely<unknown>;
  readonly table: ReadModelTable<Row>;
  /** Writes the rows of a stream's current state. A row is never replaced by one with a lower revision. */
  show(shown: Shown<S>): Promise<void>;
  /** The `record` column of each row of a page, newest first. */
  records(request: PageOf<Row>): Promise<Page<RecordOf<Row>>>;
}

type RecordOf<Row> = Row extends { readonly record: infer R } ? R : never;
export type RowOf<Class> = Class extends Type<ReadModel<infer _S, infer Row>> ? Row : never;

/** The static members that a service registers for a read model. */
export interface ReadModelClass extends Type<OnModuleInit>, ReaderPart {}

/**
 * Creates the base class of a read model: `@Injectable() export class Transfers extends defineReadModel({…}) {}`. The
 * list of the service's read models contains it after `npm run generate`. For a repository that writes its rows at
 * once, pass it to `defineRepository(decider, Transfers)`.
 */
export function defineReadModel<S, E extends DomainEvent, C extends Columns, R extends Rows<C>>(
  options: ReadModelOptions<S, E, C, R>,
): Type<ReadModel<S, RowIn<C, R>> & OnModuleInit> & ReadModelClass {
  type Row = RowIn<C, R>;
  const { of, also = [], reader, ...list } = options;
  const rowsOf = (shown: Shown<S>): readonly Row[] => [options.rows(shown) ?? []].flat() as Row[];
  const { part, tableIn } = listPart<Row>({
    ...(list as unknown as Omit<ListOptions<Row>, 'sources'>),
    sources: [...also, rowsFrom(of, rowsOf)],
  });

  @Injectable()
  class DefinedReadModel implements ReadModel<S, Row>, OnModuleInit {
    static readonly reader = reader ?? list.table;
    static readonly part = part;
    readonly table: ReadModelTable<Row>;

    constructor(@Inject(READ_MODELS) readonly readModels: Kysely<unknown>) {
      this.table = tableIn(readModels);
    }

    onModuleInit(): Promise<void> {
      return this.table.prepare();
    }

    async show(shown: Shown<S>): Promise<void> {
      await this.table.putAll(rowsOf(shown));
    }

    async records(request: PageOf<Row>): Promise<Page<RecordOf<Row>>> {
      const { items, next } = await this.table.page(request);
      return { items: items.map((row) => (row as unknown as { readonly record: RecordOf<Row> }).record), next };
    }
  }
  return DefinedReadModel;
}

interface CatchUpSettings {
  /** How long a projector waits at the head of the log, in milliseconds, so that the next slice has several events. */
  readonly lingerMs?: number;
  /** The largest number of events in a slice. */
  readonly batchSize?: number;
  /** A provider that is called with the events of each slice after the read models of `reader` have their rows. */
  readonly then?: { readonly reader: string; readonly listener: Type<RowsWrittenListener> };
}

/** Acts on rows that its own process has written. */
interface RowsWrittenListener {
  /** Must not throw. */
  rowsWritten(events: readonly Recorded[]): void;
}

/** No caller waits for the projector: it only adds rows that a crash prevented. */
const LINGER_MS = 100;

/** How the read models of a service are rebuilt: those of one reader together. */
export const rebuildableReadModels = (defined: readonly ReaderPart[]): RebuildableReadModel[] =>
  readersOf(defined).map(rebuildableReadModel);

/** Provides the read models of a service, and one projector per reader. */
export function provideReadModels(
  defined: readonly ReaderPart[],
  { lingerMs = LINGER_MS, batchSize, then }: CatchUpSettings = {},
): Provider[] {
  const readers = readersOf(defined);
  if (then && !readers.some(({ name }) => name === then.reader))
    throw new Error(`no read model has the reader ${then.reader}`);
  @Injectable()
  class CatchUpReadModels implements OnApplicationBootstrap, OnApplicationShutdown {
    private projectors: readonly Projector[] = [];

    constructor(
      @Inject(READ_MODELS) private readonly readModels: Kysely<unknown>,
      @Inject(EVENT_STORE) private readonly store: EventStore,
      @Inject(READ_MODEL_CHECKPOINTS) private readonly checkpoints: Checkpoints,
      @Inject(LEASE) private readonly lease: Lease,
      @Inject(LOGGER) private readonly logger: Logger,
      @InjectGiven(then?.listener) private readonly listener: RowsWrittenListener | undefined,
    ) {}

    onApplicationBootstrap(): void {
      const { readModels, store, checkpoints, lease, logger } = this;
      this.projectors = readers.map((reader) => {
        const following = catchUp({ reader, readModels, store, checkpoints });
        return runProjector({
          ...{ store, lease, logger, lingerMs, batchSize },
          ...following,
          apply: async (slice, fence) => {
            await following.apply(slice, fence);
            if (reader.name === then?.reader) this.listener?.rowsWritten(slice.events);
          },
        });
      });
    }

    /** Called before the engines close. */
    async onApplicationShutdown(): Promise<void> {
      await Promise.all(this.projectors.map((projector) => projector.stop()));
    }
  }
  return [...defined.filter((one): one is ReadModelClass => typeof one === 'function'), CatchUpReadModels];
}
