import { LRUCache } from 'lru-cache';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { CommandContext } from './command-context';
import { toAppend } from './command-context';
import type { Decider } from './decider';
import type { DomainEvent, EventToAppend, Recorded } from './event';
import { streamName } from './event';
import type { Appended, EventStore } from './event-store';
import { AppendOutcomeUnknown, EventStoreUnavailable, WrongExpectedRevision } from './event-store';
import { InFlight } from './in-flight';
import { Lane } from './lane';
import type { Loaded, Outcome, Wish } from './outcome';
import { Turns } from './turns';
import { upcaster } from './upcasting';

export interface AggregatesOptions {
  readonly store: EventStore;
  /** The system's clock, for deadlines. */
  readonly systemNow: () => number;
  /** Waits before another attempt after a conflict. */
  readonly pause: (attempt: number) => Promise<void>;
  /** How many streams are kept in memory. */
  readonly capacity?: number;
}

/** Conflicts come from other processes only, so they are few; more than this means that something is wrong. */
const MAX_ATTEMPTS = 10;
/** How often an append whose fate is unknown is repeated under the same ids before the caller is told. */
const MAX_UNKNOWN = 5;
const DEFAULT_CAPACITY = 20_000;

/** Lost the race or lost the lane: decide again on what the log says now. */
class Again extends Error {}

/** A lane of any aggregate; the cache does not care whose. */
type AnyLane = Pick<Lane<unknown, DomainEvent>, 'settled' | 'broken'>;

/** Reads, folds, decides and appends; see the architecture, "The idea in six sentences", 2 to 4. */
export class Aggregates {
  private readonly lanes: LRUCache<string, Promise<AnyLane>>;
  /** The cache entry of each lane, so that a lane can only ever evict itself. */
  private readonly held = new WeakMap<AnyLane, Promise<AnyLane>>();
  private readonly inFlight = new InFlight();
  private readonly turns = new Turns();

  constructor(private readonly options: AggregatesOptions) {
    this.lanes = new LRUCache({ max: options.capacity ?? DEFAULT_CAPACITY });
  }

  /** The durable state of a stream. */
  async load<S, E extends DomainEvent>(decider: Decider<never, S, E>, id: string): Promise<Loaded<S>> {
    const stream = streamName(decider.category, id);
    return this.persistently(async () => {
      const lane = await this.lane(decider as Decider<unknown, S, E>, stream);
      const { state, revision } = lane;
      await this.durably(stream, lane);
      return { state, revision };
    });
  }

  /**
   * Carries out a command once. `command` may be a function that gathers the facts; it runs again at every attempt.
   * Throws the decider's `Refusal`, or `Unavailable` when the store does not answer; a retry under the same command id
   * is then safe.
   */
  async handle<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, id: string, command: Wish<C>, context: CommandContext,
  ): Promise<Outcome<S, E>> {
    return this.persistently(() => this.attempt(decider, streamName(decider.category, id), command, context));
  }

  /**
   * As {@link handle}, for a command that begins the stream of an id which was made for it a moment ago: the stream is not
   * looked for. Should it exist after all, the store refuses the append, for it names a stream that must not exist, and the
   * command starts over on what is there. Never for a command that may be refused because the stream exists not yet.
   */
  async begin<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, id: string, command: Wish<C>, context: CommandContext,
  ): Promise<Outcome<S, E>> {
    this.openNew(decider, streamName(decider.category, id));
    return this.handle(decider, id, command, context);
  }

  /** Only for the sole writer: elsewhere a repeated message could find its own first append, which the store calls done uncompared. */
  private openNew<C, S, E extends DomainEvent>(decider: Decider<C, S, E>, stream: string): void {
    if (!this.options.store.soleWriter || this.lanes.has(stream) || this.inFlight.landed(stream)) return;
    const lane = Lane.from<S, E>(decider as Decider<never, S, E>, []);
    const opened = Promise.resolve(lane as AnyLane);
    this.held.set(lane as AnyLane, opened);
    this.lanes.set(stream, opened);
  }

  private async persistently<T>(attempt: () => Promise<T>): Promise<T> {
    for (let count = 1; ; count += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Again)) throw asUnavailable(error);
        if (count >= MAX_ATTEMPTS) throw new Unavailable('service-unavailable');
        await this.options.pause(count);
      }
    }
  }

  private async attempt<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, stream: string, command: Wish<C>, context: CommandContext,
  ): Promise<Outcome<S, E>> {
    const repeated = await this.repeated(decider, await this.lane(decider, stream), stream, context.commandId);
    if (repeated) return repeated;
    const now = context.now();
    const wish = typeof command === 'function' ? await (command as (now: string) => C | Promise<C>)(now) : command;
    const decide = (): Promise<Outcome<S, E>> => this.decide(decider, stream, wish, context, now);
    // Where others write too, a revision does not tell whose event stands there: nothing is decided on one that is still
    // being written, so this process has one append at a time under way on the stream.
    return this.options.store.soleWriter ? decide() : this.turns.take(stream, decide);
  }

  private async decide<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, stream: string, wish: C, context: CommandContext, now: string,
  ): Promise<Outcome<S, E>> {
    const lane = await this.lane(decider, stream);
    if (!this.isCurrent(stream, lane) || lane.find(context.commandId)) throw new Again();
    this.refuseLate(context);
    let decided: readonly E[];
    try {
      decided = decider.decide(wish, lane.state);
    } catch (refused) {
      await this.durably(stream, lane);
      throw refused;
    }
    if (decided.length > 0) return this.append(decider, stream, lane, decided, context, now);
    const { state, revision } = lane;
    await this.durably(stream, lane);
    return { state, revision, events: [], replayed: false };
  }

  /** No await between the decision and `advance`: the next command of this process sees the new state. */
  private async append<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, stream: string, lane: Lane<S, E>, decided: readonly E[], context: CommandContext, now: string,
  ): Promise<Outcome<S, E>> {
    const expected = lane.revision;
    const events = toAppend(decided, decider.events, context, now);
    const appending = this.appendKnowing(stream, expected, events);
    lane.advance(context.commandId, decided, appending);
    this.inFlight.track(stream, appending);
    const { state, revision } = lane;
    let appended: Appended;
    try {
      appended = await appending;
    } catch (error) {
      this.forget(stream, lane);
      if (error instanceof WrongExpectedRevision) throw new Again();
      throw error;
    }
    const recorded = events.map((event, at) => ({
      ...event, stream, revision: expected + 1 + at, position: appended.position,
    })) as unknown as Recorded<E>[];
    return { state, revision, events: recorded, replayed: false };
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

  private async repeated<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>, lane: Lane<S, E>, stream: string, commandId: string,
  ): Promise<Outcome<S, E> | undefined> {
    const trace = lane.find(commandId);
    if (!trace) return undefined;
    const { state, revision } = lane;
    await this.durably(stream, lane);
    const events = await this.options.store.read(stream, { from: trace.first, limit: trace.count });
    return { state, revision, events: events.map((event) => upcaster(decider.events)<E>(event)), replayed: true };
  }

  /** An answer from a state that is still being written waits; if the write fails the command starts over. */
  private async durably(stream: string, lane: AnyLane): Promise<void> {
    try {
      await lane.settled();
    } catch {
      this.forget(stream, lane);
      throw new Again();
    }
  }

  private refuseLate(context: CommandContext): void {
    if (context.deadline !== undefined && this.options.systemNow() > context.deadline) throw new Unavailable('service-unavailable');
  }

  /** What this process holds of a stream, brought up to the log when others write to it too. */
  private async lane<C, S, E extends DomainEvent>(decider: Decider<C, S, E>, stream: string): Promise<Lane<S, E>> {
    const held = this.lanes.get(stream) as Promise<Lane<S, E>> | undefined;
    if (held) {
      const lane = await held;
      if (!lane.broken) {
        if (!this.options.store.soleWriter) await this.catchUp(decider, stream, lane);
        return lane;
      }
      this.forget(stream, lane);
    }
    const opened = this.lanes.get(stream) as Promise<Lane<S, E>> | undefined;
    return opened ?? this.open(decider, stream);
  }

  private open<C, S, E extends DomainEvent>(decider: Decider<C, S, E>, stream: string): Promise<Lane<S, E>> {
    // A lane that failed or was evicted may have left appends under way. They end first: else one of them could land between
    // two decisions of the new lane, at the revision that the second takes for the first's.
    const landed = this.inFlight.landed(stream);
    const reading = landed ? landed.then(() => this.options.store.read(stream)) : this.options.store.read(stream);
    const opening = reading.then((recorded) => {
      const lane = Lane.from<S, E>(decider as Decider<never, S, E>, recorded.map((event) => upcaster(decider.events)<E>(event)));
      this.held.set(lane as AnyLane, opening as Promise<AnyLane>);
      return lane;
    });
    this.lanes.set(stream, opening as Promise<AnyLane>);
    opening.catch(() => { if (this.lanes.get(stream) === (opening as unknown)) this.lanes.delete(stream); });
    return opening;
  }

  private async catchUp<C, S, E extends DomainEvent>(decider: Decider<C, S, E>, stream: string, lane: Lane<S, E>): Promise<void> {
    for (;;) {
      await this.durably(stream, lane);
      const from = lane.revision + 1;
      const newer = await this.options.store.read(stream, { from });
      if (lane.revision + 1 !== from) continue;
      lane.absorb(newer.map((event) => upcaster(decider.events)<E>(event)));
      return;
    }
  }

  private isCurrent(stream: string, lane: AnyLane): boolean {
    return !lane.broken && this.lanes.peek(stream) === this.held.get(lane);
  }

  private forget(stream: string, lane: AnyLane): void {
    lane.broken = true;
    if (this.lanes.get(stream) === this.held.get(lane)) this.lanes.delete(stream);
  }
}

function asUnavailable(error: unknown): unknown {
  if (error instanceof Refusal || error instanceof Unavailable) return error;
  if (error instanceof EventStoreUnavailable || error instanceof AppendOutcomeUnknown) return new Unavailable('service-unavailable');
  return error;
}
