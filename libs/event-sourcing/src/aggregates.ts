import { Refusal, Unavailable } from '@ponte/kernel';
import type { CommandContext } from './command-context';
import { toAppend } from './command-context';
import type { Decider } from './decider';
import type { DomainEvent, EventToAppend, Position, Recorded } from './event';
import { streamName } from './event';
import type { Appended, EventStore } from './event-store';
import { AppendOutcomeUnknown, EventStoreUnavailable, WrongExpectedRevision } from './event-store';
import { InFlight } from './in-flight';
import type { Lane } from './lane';
import { Again, Lanes } from './lanes';
import type { Loaded, Outcome, Wish } from './outcome';
import { Turns } from './turns';
import { upcaster } from './upcasting';

export interface AggregatesOptions {
  readonly store: EventStore;
  /** The system's clock, for deadlines. */
  readonly systemNow: () => number;
  /** Waits before another attempt after a conflict. */
  readonly pause: (attempt: number) => Promise<void>;
  /** How many streams are kept in memory at the most. */
  readonly capacity?: number;
}

/** Conflicts come from other processes only, so they are few; more than this means that something is wrong. */
const MAX_ATTEMPTS = 10;
/** How often an append whose fate is unknown is repeated under the same ids before the caller is told. */
const MAX_UNKNOWN = 5;
const DEFAULT_CAPACITY = 20_000;

/** Reads, folds, decides and appends; see the architecture, "The idea in six sentences", 2 to 4. */
export class Aggregates {
  private readonly lanes: Lanes;
  private readonly inFlight = new InFlight();
  private readonly turns = new Turns();

  constructor(private readonly options: AggregatesOptions) {
    this.lanes = new Lanes(options.store, this.inFlight, options.capacity ?? DEFAULT_CAPACITY);
  }

  /** The durable state of a stream. */
  async load<S, E extends DomainEvent>(decider: Decider<never, S, E>, id: string): Promise<Loaded<S>> {
    const stream = streamName(decider.category, id);
    for (let count = 1; ; count += 1) {
      try {
        const lane = await this.lanes.current(decider, stream);
        const { state, revision, traceparent } = lane;
        await this.lanes.durably(stream, lane);
        return traceparent === undefined ? { state, revision } : { state, revision, traceparent };
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
  async handle<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, id: string, command: Wish<C>, context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const stream = streamName(decider.category, id);
    for (let count = 1; ; count += 1) {
      try {
        return await this.attempt(decider, stream, command, context);
      } catch (error) {
        await this.again(error, count);
      }
    }
  }

  /**
   * As {@link handle}, for a command that begins the stream of an id which was made for it a moment ago: the stream is not
   * looked for. Should it exist after all, the store refuses the append, for it names a stream that must not exist, and the
   * command starts over on what is there. Never for a command that may be refused because the stream exists not yet.
   */
  begin<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, id: string, command: Wish<C>, context: CommandContext,
  ): Promise<Outcome<S, E>> {
    // Only for the sole writer: elsewhere a repeated message could find its own first append, which the store calls done uncompared.
    if (this.options.store.soleWriter) this.lanes.begin(decider, streamName(decider.category, id));
    return this.handle(decider, id, command, context);
  }

  /** Returns when there is to be another attempt; throws what the caller gets otherwise. */
  private async again(error: unknown, count: number): Promise<void> {
    if (!(error instanceof Again)) throw asUnavailable(error);
    if (count >= MAX_ATTEMPTS) throw new Unavailable('service-unavailable');
    await this.options.pause(count);
  }

  private async attempt<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, stream: string, command: Wish<C>, context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const first = this.lanes.ready<S, E>(stream) ?? await this.lanes.current(decider, stream);
    if (first.find(context.commandId)) return this.repeat(decider, first, stream, context.commandId);
    const now = context.now();
    const gathers = typeof command === 'function';
    const wish = gathers ? await (command as (now: string) => C | Promise<C>)(now) : command;
    if (this.options.store.soleWriter) {
      return this.decide(decider, stream, this.lanes.ready<S, E>(stream) ?? await this.lanes.current(decider, stream), wish, context, now);
    }
    // Where others write too, a revision does not tell whose event stands there: nothing is decided on one that is still
    // being written, so this process has one append at a time under way on the stream.
    return this.turns.take(stream, async () => {
      // Facts may be newer than the look before them. Without any, that look was taken after the command came, and the append tells if it is old.
      const lane = gathers || !this.lanes.isCurrent(stream, first) ? await this.lanes.current(decider, stream) : first;
      return this.decide(decider, stream, lane, wish, context, now);
    });
  }

  private decide<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, stream: string, lane: Lane<S, E>, wish: C, context: CommandContext, now: string,
  ): Promise<Outcome<S, E>> {
    if (!this.lanes.isCurrent(stream, lane) || lane.find(context.commandId)) throw new Again();
    this.refuseLate(context);
    let decided: readonly E[];
    try {
      decided = decider.decide(wish, lane.state);
    } catch (refused) {
      return this.lanes.durably(stream, lane).then(() => { throw refused; });
    }
    if (decided.length > 0) return this.append(decider, stream, lane, decided, context, now);
    const { state, revision } = lane;
    return this.lanes.durably(stream, lane).then(() => ({ state, revision, events: [], replayed: false }));
  }

  /** No await between the decision and `advance`: the next command of this process sees the new state. */
  private async append<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, stream: string, lane: Lane<S, E>, decided: readonly E[], asked: CommandContext, now: string,
  ): Promise<Outcome<S, E>> {
    const expected = lane.revision;
    const context = decider.errand && asked.traceparent === undefined ? { ...asked, traceparent: lane.traceparent } : asked;
    const events = toAppend(decided, decider.events, context, now);
    const appending = this.appendKnowing(stream, expected, events);
    lane.advance(context, decided, appending);
    this.inFlight.began(stream);
    const { state, revision } = lane;
    try {
      const { position } = await appending;
      lane.landed(appending);
      return { state, revision, events: recordedAs(events, stream, expected + 1, position), replayed: false };
    } catch (error) {
      this.lanes.forget(stream, lane);
      if (error instanceof WrongExpectedRevision) throw new Again();
      throw error;
    } finally {
      this.inFlight.ended(stream);
    }
  }

  /** An unknown outcome is resolved by appending the same ids at the same revision again, which the store answers once. */
  private async appendKnowing(stream: string, expected: number, events: readonly EventToAppend[]): Promise<Appended> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.options.store.append(stream, expected, events);
      } catch (error) {
        if (!(error instanceof AppendOutcomeUnknown) || attempt >= MAX_UNKNOWN) throw error;
        await this.options.pause(attempt);
      }
    }
  }

  /** The outcome of a command that was carried out before. */
  private async repeat<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, lane: Lane<S, E>, stream: string, commandId: string,
  ): Promise<Outcome<S, E>> {
    const { first = 0, count = 0 } = lane.find(commandId) ?? {};
    const { state, revision } = lane;
    await this.lanes.durably(stream, lane);
    const events = await this.options.store.read(stream, { from: first, limit: count });
    return { state, revision, events: events.map((event) => upcaster(decider.events)<E>(event)), replayed: true };
  }

  private refuseLate(context: CommandContext): void {
    if (context.deadline !== undefined && this.options.systemNow() > context.deadline) throw new Unavailable('service-unavailable');
  }
}

/** Appended events as they will be read back. */
const recordedAs = <E extends DomainEvent>(events: readonly EventToAppend[], stream: string, first: number, position: Position): Recorded<E>[] =>
  events.map(({ id, type, version, data, meta }, at) => ({ id, stream, revision: first + at, position, type, version, data, meta })) as unknown as Recorded<E>[];

function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof Unavailable) return error;
  if (error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown) return new Unavailable('service-unavailable');
  return error;
}
