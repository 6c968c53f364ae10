import { Refusal, Unavailable } from '@ponte/kernel';
import { appendResolvingUnknown, asUnavailable } from './append-resolving-unknown';
import type { CommandContext } from '../command-context';
import { toAppend } from '../command-context';
import type { Decider } from '../decider';
import type { DomainEvent } from '../event';
import { streamName } from '../event';
import type { EventStore } from '../ports/event-store';
import { WrongExpectedRevision } from '../ports/event-store';
import { PendingAppends } from './pending-appends';
import type { CachedStream } from './cached-stream';
import { Again, StreamCache } from './stream-cache';
import type { Loaded, Outcome, CommandSource } from '../outcome';
import { continuingTrace, recordedAs, SharedWrites } from './shared-writes';
import { SnapshotKeeper } from './snapshot-keeper';
import type { Snapshots } from './snapshots';
import { KeyedMutex } from '../keyed-mutex';
import { upcaster } from '../upcasting';

export interface AggregatesOptions {
  readonly store: EventStore;
  /** The system's clock, for deadlines. */
  readonly systemNow: () => number;
  /** Waits before another attempt after a conflict. */
  readonly pause: (attempt: number) => Promise<void>;
  /** How many streams are kept in memory at the most. */
  readonly capacity?: number;
  /**
   * Unlike that of any other process, and of this one's last life. Where others write too, commands are then decided on
   * what is held here, and the append tells whether that was all; without it each stream is looked at before every
   * decision.
   */
  readonly run?: string;
  /** Where states of long streams are kept; absent: every stream is folded from its first event. */
  readonly snapshots?: Snapshots;
  /** Hears of a snapshot that could not be read or written. Commands are carried out all the same. */
  readonly snapshotFailed?: (stream: string, error: unknown) => void;
}

/** Conflicts come from other processes only, so they are few; more than this means that something is wrong. */
const MAX_ATTEMPTS = 10;
const DEFAULT_CAPACITY = 20_000;

/** Reads, folds, decides and appends; see the architecture, "The idea in six sentences", 2 to 4. */
export class Aggregates {
  private readonly cache: StreamCache;
  private readonly pendingAppends = new PendingAppends();
  private readonly mutex = new KeyedMutex();
  private readonly shared: SharedWrites | undefined;
  private readonly snapshots: SnapshotKeeper | undefined;

  constructor(private readonly options: AggregatesOptions) {
    const { store, pause, run } = options;
    const { snapshots, snapshotFailed = () => undefined } = options;
    this.snapshots = snapshots && new SnapshotKeeper({ snapshots, store, failed: snapshotFailed });
    this.cache = new StreamCache(store, this.pendingAppends, options.capacity ?? DEFAULT_CAPACITY, this.snapshots);
    if (run !== undefined && !store.soleWriter) {
      this.shared = new SharedWrites({
        cache: this.cache,
        pendingAppends: this.pendingAppends,
        run,
        snapshots: this.snapshots,
        append: (...append) => appendResolvingUnknown(store, pause, ...append),
      });
    }
  }

  /**
   * Over the same store, for streams that come and go too fast to share this memory, or that are longer than what is
   * still decided on: a `store` given here is the same one, but may begin a stream that is read without `from` later,
   * at any event before which nothing matters to a command to come, the last one at the latest.
   */
  withOptions(options: Partial<Pick<AggregatesOptions, 'capacity' | 'pause' | 'store'>>): Aggregates {
    const { run } = this.options;
    return new Aggregates({ ...this.options, ...options, ...(run === undefined ? {} : { run: `${run}.beside` }) });
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
    for (let count = 1; ; count += 1) {
      try {
        const cached = await this.cache.current(decider, stream);
        const found = loaded(cached);
        await this.cache.durably(stream, cached);
        return found;
      } catch (error) {
        await this.again(error, count);
      }
    }
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
    return this.attempts(decider, streamName(decider.category, id), command, context);
  }

  /**
   * As {@link handle}, for a command that begins the stream of an id which was made for it a moment ago: the stream is
   * not looked for. Should it exist after all, the store refuses the append, for it names a stream that must not exist,
   * and the command starts over on what is there. Never for a command that may be refused because the stream exists not
   * yet.
   */
  create<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    id: string,
    command: CommandSource<C>,
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    // Only where a repeated message has ids of its own: it could find its own first append, which the store calls done
    // uncompared.
    if (this.options.store.soleWriter || this.shared) this.cache.create(decider, streamName(decider.category, id));
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
    if (this.shared) this.cache.create(decider, streamName(decider.category, id));
    return this.handle(decider, id, command, context);
  }

  private async attempts<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: CommandSource<C>,
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    for (let count = 1; ; count += 1) {
      try {
        return await (this.options.store.soleWriter
          ? this.attemptAlone(decider, stream, command, context)
          : this.attemptShared(decider, stream, command, context, count === 1 ? this.shared : undefined));
      } catch (error) {
        await this.again(error, count);
      }
    }
  }

  /** Returns when there is to be another attempt; throws what the caller gets otherwise. */
  private async again(error: unknown, count: number): Promise<void> {
    if (!(error instanceof Again)) throw asUnavailable(error);
    if (count >= MAX_ATTEMPTS) throw new Unavailable('service-unavailable');
    await this.options.pause(count);
  }

  /** Where no one else writes, the state in memory is the stream's, and only the append is waited for. */
  private async attemptAlone<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: CommandSource<C>,
    context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const first = this.cache.ready<S, E>(stream) ?? (await this.cache.current(decider, stream));
    if (first.find(context.commandId)) return this.repeat(decider, first, stream, context.commandId);
    const now = context.now();
    const request = typeof command === 'function' ? await (command as Gathering<C>)(now) : command;
    // Again, since other commands may have been carried out meanwhile.
    const cached = this.cache.ready<S, E>(stream) ?? (await this.cache.current(decider, stream));
    return this.decide(decider, stream, cached, request, context, now);
  }

  private async attemptShared<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: CommandSource<C>,
    context: CommandContext,
    guessing: SharedWrites | undefined,
  ): Promise<Outcome<S, E>> {
    const held = guessing && this.cache.held<S, E>(stream);
    const first = held && !held.find(context.commandId) ? held : await this.cache.current(decider, stream);
    if (first.find(context.commandId)) return this.repeat(decider, first, stream, context.commandId);
    const now = context.now();
    const gathers = typeof command === 'function';
    const request = gathers
      ? await gathered(command as Gathering<C>, now).catch(async (refused: unknown) => {
          // A repeated command gets its first answer, whatever the state is now: another process may have carried it
          // out.
          if (
            refused instanceof Refusal &&
            first === held &&
            (await this.cache.current(decider, stream)).find(context.commandId)
          )
            throw new Again();
          throw refused;
        })
      : command;
    // With several writers a revision does not say which event has it, so nothing is decided on an event that is still
    // being written: this process has one append at a time in progress on the stream.
    return this.mutex.take(stream, async () => {
      const guessed = guessing?.guess(decider, stream, request, context);
      if (guessing && guessed) {
        this.refuseLate(context);
        return guessing.append(decider, stream, guessed, context, now);
      }
      // Facts may be newer than the look before them. Without any, that look was taken after the command came, and the
      // append tells if it is old.
      const cached =
        gathers || first === held || !this.cache.isCurrent(stream, first)
          ? await this.cache.current(decider, stream)
          : first;
      return this.decide(decider, stream, cached, request, context, now);
    });
  }

  private decide<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
    command: C,
    context: CommandContext,
    now: string,
  ): Promise<Outcome<S, E>> {
    if (!this.cache.isCurrent(stream, cached) || cached.find(context.commandId)) throw new Again();
    this.refuseLate(context);
    let decided: readonly E[];
    try {
      decided = decider.decide(command, cached.state);
    } catch (refused) {
      return this.cache.durably(stream, cached).then(() => {
        throw refused;
      });
    }
    if (decided.length > 0)
      return (
        this.shared?.append(decider, stream, { cached, decided }, context, now) ??
        this.append(decider, stream, cached, decided, context, now)
      );
    const { state, revision } = cached;
    return this.cache.durably(stream, cached).then(() => ({ state, revision, events: [], replayed: false }));
  }

  /** No await between the decision and `advance`: the next command of this process sees the new state. */
  private append<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
    decided: readonly E[],
    asked: CommandContext,
    now: string,
  ): Promise<Outcome<S, E>> {
    const expected = cached.revision;
    const context = continuingTrace(decider, cached, asked);
    const events = toAppend(decided, decider.events, context, now);
    const appending = appendResolvingUnknown(this.options.store, this.options.pause, stream, expected, events);
    cached.advance(context, decided, appending);
    this.pendingAppends.began(stream);
    this.snapshots?.consider(decider, stream, cached);
    const { state, revision } = cached;
    return appending.then(
      ({ position }) => {
        cached.landed(appending);
        this.pendingAppends.ended(stream);
        return { state, revision, events: recordedAs(events, stream, expected + 1, position), replayed: false };
      },
      (error: unknown) => {
        this.cache.forget(stream, cached);
        this.pendingAppends.ended(stream);
        throw error instanceof WrongExpectedRevision ? new Again() : error;
      },
    );
  }

  /** The outcome of a command that was carried out before. */
  private async repeat<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    cached: CachedStream<S, E>,
    stream: string,
    commandId: string,
  ): Promise<Outcome<S, E>> {
    const { first = 0, count = 0 } = cached.find(commandId) ?? {};
    const { state, revision } = cached;
    await this.cache.durably(stream, cached);
    const events = await this.options.store.read(stream, { from: first, limit: count });
    return { state, revision, events: events.map((event) => upcaster(decider.events)<E>(event)), replayed: true };
  }

  private refuseLate(context: CommandContext): void {
    if (context.deadline !== undefined && this.options.systemNow() > context.deadline)
      throw new Unavailable('service-unavailable');
  }
}

type Gathering<C> = (now: string) => C | Promise<C>;

/** What it throws at once is a rejection as well. */
const gathered = async <C>(gather: Gathering<C>, now: string): Promise<C> => gather(now);

const loaded = <S, E extends DomainEvent>({ state, revision, traceparent }: CachedStream<S, E>): Loaded<S> =>
  traceparent === undefined ? { state, revision } : { state, revision, traceparent };
