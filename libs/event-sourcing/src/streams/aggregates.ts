import { Refusal, Unavailable } from '@ponte/kernel';
import type { CommandContext, DomainEvent } from '../event';
import type { Decider } from '../decider';
import { streamName } from '../event';
import type { CommandSource, Loaded, Outcome } from '../outcome';
import type { StreamStore } from '../ports/event-store';
import { AppendOutcomeUnknown, EventStoreUnavailable } from '../ports/event-store';
import type { CachedStream } from './cached-stream';
import { SharedWriter } from './shared-writer';
import { SnapshotKeeper } from './snapshot-keeper';
import type { Snapshots } from './snapshots';
import { RetryDecision, StreamCache } from './stream-cache';
import { StreamWriter } from './stream-writer';

interface AggregatesOptions {
  readonly store: StreamStore;
  /** The system's clock, for deadlines. */
  readonly systemNow: () => number;
  /** Waits before the next attempt after a conflict. */
  readonly pause: (attempt: number) => Promise<void>;
  /** The largest number of streams kept in memory. */
  readonly capacity?: number;
  /** Storage for snapshots of long streams. If absent, every stream is folded from its first event. */
  readonly snapshots?: Snapshots;
  /** Called when a snapshot could not be read or written. Commands are not affected. */
  readonly snapshotFailed?: (stream: string, error: unknown) => void;
}

/** Conflicts come only from other processes, so they are rare. More attempts than this mean that something is wrong. */
const MAX_ATTEMPTS = 10;
const DEFAULT_CAPACITY = 20_000;

/** Reads, folds, decides and appends; see "From a request to an event" in docs/architecture.md. */
export class Aggregates {
  private readonly cache: StreamCache;
  private readonly writer: StreamWriter;

  constructor(private readonly options: AggregatesOptions) {
    const { store, pause, systemNow, snapshots: kept } = options;
    const { snapshotFailed = () => undefined } = options;
    const snapshots = kept && new SnapshotKeeper({ snapshots: kept, store, failed: snapshotFailed });
    this.cache = new StreamCache(store, options.capacity ?? DEFAULT_CAPACITY, snapshots);
    const parts = { store, cache: this.cache, pause, systemNow, snapshots };
    this.writer = store.soleWriter ? new StreamWriter(parts) : new SharedWriter(parts);
  }

  /**
   * Another instance over the same store, for streams that come and go too fast to share this cache, or that are longer
   * than what decisions need. A `store` given here must be the same store, but for reads without `from` it may start a
   * stream at a later event. The events before it must be irrelevant to later commands, and the last event must always
   * be included.
   */
  withOptions(options: Partial<Pick<AggregatesOptions, 'capacity' | 'pause' | 'store'>>): Aggregates {
    return new Aggregates({ ...this.options, ...options });
  }

  /**
   * The durable, current state of a stream, or a cached one that `suffices`. A cached state was durable at some time,
   * so use `suffices` only for questions that every later state answers the same way, such as "has it ended?" or "has
   * it reached this revision?".
   */
  async load<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    id: string,
    suffices?: (held: Loaded<S>) => boolean,
  ): Promise<Loaded<S>> {
    const stream = streamName(decider.category, id);
    // Nearly always the stream is cached and fully durable, so there is nothing to wait for.
    const ready = this.cache.ready<S, E>(stream);
    if (ready?.atRest) return loaded(ready);
    const cached = suffices && this.cache.held<S, E>(stream);
    if (cached?.atRest && suffices?.(loaded(cached))) return loaded(cached);
    return this.attempts(async () => {
      const cached = await this.cache.current(decider, stream);
      const found = loaded(cached);
      await this.cache.durably(stream, cached);
      return found;
    });
  }

  /**
   * Executes a command once. `command` may be a function that gathers the facts; it runs again for each attempt.
   * Throws the decider's `Refusal`, or `Unavailable` if the store does not answer; it is then safe to retry with the
   * same command id.
   */
  handle<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    id: string,
    command: CommandSource<C>,
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const stream = streamName(decider.category, id);
    return this.attempts((attempt) => this.writer.attempt(decider, stream, command, context, attempt));
  }

  /**
   * Like {@link handle}, for a command that starts the stream of an id that was just generated: the stream is not read
   * first. If it exists after all, the store refuses the append, which expects no stream, and the command is decided
   * again on the existing stream. Never use it for a command that may be refused because the stream does not exist yet.
   */
  create<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    id: string,
    command: CommandSource<C>,
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    this.cache.create(decider, streamName(decider.category, id));
    return this.handle(decider, id, command, context);
  }

  /**
   * Like {@link handle}, for a command that creates its stream unless it was executed before. With several writers
   * the stream is not read first: the append detects a conflict, and a refusal is verified by a read. A sole writer
   * reads first: it has its streams in memory, and its event ids are derived from the command alone.
   */
  createIfAbsent<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    id: string,
    command: CommandSource<C>,
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    return this.options.store.soleWriter
      ? this.handle(decider, id, command, context)
      : this.create(decider, id, command, context);
  }

  /** Retries while an attempt ends in {@link RetryDecision}. */
  private async attempts<T>(work: (attempt: number) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(attempt);
      } catch (error) {
        if (!(error instanceof RetryDecision)) throw asUnavailable(error);
        if (attempt >= MAX_ATTEMPTS) throw new Unavailable('service-unavailable');
        await this.options.pause(attempt);
      }
    }
  }
}

const loaded = <S, E extends DomainEvent>({ state, revision, traceparent }: CachedStream<S, E>): Loaded<S> =>
  traceparent === undefined ? { state, revision } : { state, revision, traceparent };

/** Converts an error to the one that the caller of a command gets. */
function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof Unavailable) return error;
  if (error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown)
    return new Unavailable('service-unavailable');
  return error;
}
