import { Unavailable } from '@ponte/kernel';
import type { CommandContext } from '../command-context';
import type { Decider } from '../decider';
import type { DomainEvent } from '../event';
import { streamName } from '../event';
import type { CommandSource, Loaded, Outcome } from '../outcome';
import type { StreamStore } from '../ports/event-store';
import { asUnavailable } from './append-resolving-unknown';
import type { CachedStream } from './cached-stream';
import { SharedWriter } from './shared-writer';
import { SnapshotKeeper } from './snapshot-keeper';
import type { Snapshots } from './snapshots';
import { Again, StreamCache } from './stream-cache';
import { StreamWriter } from './stream-writer';

export interface AggregatesOptions {
  readonly store: StreamStore;
  /** The system's clock, for deadlines. */
  readonly systemNow: () => number;
  /** Waits before another attempt after a conflict. */
  readonly pause: (attempt: number) => Promise<void>;
  /** How many streams are kept in memory at the most. */
  readonly capacity?: number;
  /** Where states of long streams are kept; absent: every stream is folded from its first event. */
  readonly snapshots?: Snapshots;
  /** Called when a snapshot could not be read or written. Commands are carried out all the same. */
  readonly snapshotFailed?: (stream: string, error: unknown) => void;
}

/** Conflicts come from other processes only, so they are few; more than this means that something is wrong. */
const MAX_ATTEMPTS = 10;
const DEFAULT_CAPACITY = 20_000;

/** Reads, folds, decides and appends; see the architecture, "The idea in six sentences", 2 to 4. */
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
   * Over the same store, for streams that come and go too fast to share this memory, or that are longer than what is
   * still decided on: a `store` given here is the same one, but may begin a stream that is read without `from` later,
   * at any event before which nothing matters to a command to come, the last one at the latest.
   */
  withOptions(options: Partial<Pick<AggregatesOptions, 'capacity' | 'pause' | 'store'>>): Aggregates {
    return new Aggregates({ ...this.options, ...options });
  }

  /**
   * The durable state of a stream as it is now; or one that is held here and `suffices`: it was durable at some time,
   * and the question must be one that any later state answers alike, such as "has it ended?" or "is it as far as this
   * revision?".
   */
  async load<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    id: string,
    suffices?: (held: Loaded<S>) => boolean,
  ): Promise<Loaded<S>> {
    const stream = streamName(decider.category, id);
    // Nearly always it is here and at rest, and then nothing has to be waited for.
    const ready = this.cache.ready<S, E>(stream);
    if (ready?.atRest) return loaded(ready);
    const held = suffices && this.cache.held<S, E>(stream);
    if (held?.atRest && suffices?.(loaded(held))) return loaded(held);
    return this.attempts(async () => {
      const cached = await this.cache.current(decider, stream);
      const found = loaded(cached);
      await this.cache.durably(stream, cached);
      return found;
    });
  }

  /**
   * Carries out a command once. `command` may be a function that gathers the facts; it runs again at every attempt.
   * Throws the decider's `Refusal`, or `Unavailable` when the store does not answer; a retry under the same command id
   * is then safe.
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
   * As {@link handle}, for a command that begins the stream of an id which was made for it a moment ago: the stream is
   * not looked for. Should it exist after all, the store refuses the append, for it names a stream that must not exist,
   * and the command starts over on what is there. Never for a command that may be refused because the stream does not
   * exist yet.
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
   * As {@link handle}, for a command that creates its stream unless it was carried out before. With several writers the
   * stream is not read first: the append detects a conflict, and a refusal is verified by a read. A sole writer reads:
   * it knows its streams in memory, and its events have the ids of their command.
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

  /** Until an attempt does not lose a race. */
  private async attempts<T>(work: (attempt: number) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(attempt);
      } catch (error) {
        if (!(error instanceof Again)) throw asUnavailable(error);
        if (attempt >= MAX_ATTEMPTS) throw new Unavailable('service-unavailable');
        await this.options.pause(attempt);
      }
    }
  }
}

const loaded = <S, E extends DomainEvent>({ state, revision, traceparent }: CachedStream<S, E>): Loaded<S> =>
  traceparent === undefined ? { state, revision } : { state, revision, traceparent };
