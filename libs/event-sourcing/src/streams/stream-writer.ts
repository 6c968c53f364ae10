import { Unavailable } from '@ponte/kernel';
import type { CommandContext, DomainEvent, EventToAppend, Position, Recorded } from '../event';
import { assertEventSizes, toAppend } from '../event';
import type { Decider } from '../decider';
import type { CommandSource, Outcome } from '../outcome';
import type { Appended, EventStore, StreamStore } from '../ports/event-store';
import { AppendOutcomeUnknown, WrongExpectedRevision } from '../ports/event-store';
import type { CachedStream } from './cached-stream';
import { upcaster } from './cached-stream';
import type { SnapshotKeeper } from './snapshot-keeper';
import type { StreamCache } from './stream-cache';
import { RetryDecision } from './stream-cache';

/** How often an append with an unknown outcome is sent with the same ids before the caller gets the error. */
const MAX_UNKNOWN = 5;

interface StreamWriterParts {
  readonly store: StreamStore;
  readonly cache: StreamCache;
  /** Waits before an append with an unknown outcome is sent again. */
  readonly pause: (attempt: number) => Promise<void>;
  /** The system's clock, for deadlines. */
  readonly systemNow: () => number;
  readonly snapshots: SnapshotKeeper | undefined;
}

/**
 * Executes commands when this process is the sole writer: the state in memory is current, so only the append has to
 * be waited for.
 */
export class StreamWriter {
  constructor(protected readonly parts: StreamWriterParts) {}

  /** Makes one attempt, numbered from 1. Throws {@link RetryDecision} if another attempt must follow. */
  async attempt<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: CommandSource<C>,
    context: CommandContext,
    _attempt: number,
  ): Promise<Outcome<S, E>> {
    const { cache } = this.parts;
    const first = cache.ready<S, E>(stream) ?? (await cache.current(decider, stream));
    if (first.find(context.commandId)) return this.repeat(decider, first, stream, context.commandId);
    const now = context.now();
    const request = isCommandBuilder(command) ? await command(now) : command;
    // The stream is looked up again because other commands may have been executed meanwhile.
    const cached = cache.ready<S, E>(stream) ?? (await cache.current(decider, stream));
    return this.decide(decider, stream, cached, request, context, now);
  }

  protected decide<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
    command: C,
    context: CommandContext,
    now: string,
  ): Promise<Outcome<S, E>> {
    const { cache } = this.parts;
    if (!cache.isCurrent(stream, cached) || cached.find(context.commandId)) throw new RetryDecision();
    this.refuseLate(context);
    let decided: readonly E[];
    try {
      decided = decider.decide(command, cached.state);
    } catch (refused) {
      return cache.durably(stream, cached).then(() => {
        throw refused;
      });
    }
    if (decided.length > 0) return this.append(decider, stream, cached, decided, context, now);
    const { state, revision } = cached;
    return cache.durably(stream, cached).then(() => ({ state, revision, events: [], replayed: false }));
  }

  /** There is no await between the decision and `advance`, so the next command of this process sees the new state. */
  protected append<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
    decided: readonly E[],
    commandContext: CommandContext,
    now: string,
  ): Promise<Outcome<S, E>> {
    const { store, cache, pause, snapshots } = this.parts;
    const expected = cached.revision;
    const context = continuingTrace(decider, cached, commandContext);
    const events = toAppend(decided, decider.events, context, now);
    const appending = appendResolvingUnknown(store, pause, stream, expected, events);
    cached.advance(context, decided, appending);
    cache.appendBegan(stream);
    snapshots?.consider(decider, stream, cached);
    const { state, revision } = cached;
    return appending.then(
      ({ position }) => {
        cached.appended(appending);
        cache.appendEnded(stream);
        return { state, revision, events: recordedAs(events, stream, expected + 1, position), replayed: false };
      },
      (error: unknown) => {
        cache.forget(stream, cached);
        cache.appendEnded(stream);
        throw error instanceof WrongExpectedRevision ? new RetryDecision() : error;
      },
    );
  }

  /** The outcome of a command that was executed before. */
  protected async repeat<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    cached: CachedStream<S, E>,
    stream: string,
    commandId: string,
  ): Promise<Outcome<S, E>> {
    const { first = 0, count = 0 } = cached.find(commandId) ?? {};
    const { state, revision } = cached;
    await this.parts.cache.durably(stream, cached);
    const events = await this.parts.store.read(stream, { from: first, limit: count });
    return { state, revision, events: events.map(upcaster(decider.events)<E>), replayed: true };
  }

  protected refuseLate(context: CommandContext): void {
    if (context.deadline !== undefined && this.parts.systemNow() > context.deadline)
      throw new Unavailable('service-unavailable');
  }
}

type CommandBuilder<C> = (now: string) => C | Promise<C>;

/** Whether the command still has to be built from gathered facts. */
export const isCommandBuilder = <C>(command: CommandSource<C>): command is CommandBuilder<C> =>
  typeof command === 'function';

/** If the decider continues traces, an append without a span joins the trace of the stream's first event. */
export const continuingTrace = <S, E extends DomainEvent>(
  decider: Decider<never, S, E>,
  cached: CachedStream<S, E>,
  context: CommandContext,
): CommandContext =>
  decider.continuesTrace && context.traceparent === undefined
    ? { ...context, traceparent: cached.traceparent }
    : context;

/** Appended events in the form in which they will be read back. */
export const recordedAs = <E extends DomainEvent>(
  events: readonly EventToAppend[],
  stream: string,
  first: number,
  position: Position,
): Recorded<E>[] =>
  events.map(({ id, type, version, data, meta }, at) => ({
    id,
    stream,
    revision: first + at,
    position,
    type,
    version,
    data,
    meta,
  })) as unknown as Recorded<E>[];

/**
 * Appends events. An unknown outcome is resolved by appending the same ids at the same revision again, which the store
 * applies only once. Refuses `event-too-large`.
 */
export function appendResolvingUnknown(
  store: Pick<EventStore, 'append'>,
  pause: (attempt: number) => Promise<void>,
  stream: string,
  expected: number,
  events: readonly EventToAppend[],
  attempt = 1,
): Promise<Appended> {
  assertEventSizes(events);
  return store.append(stream, expected, events).catch(async (error: unknown) => {
    if (!(error instanceof AppendOutcomeUnknown) || attempt >= MAX_UNKNOWN) throw error;
    await pause(attempt);
    return appendResolvingUnknown(store, pause, stream, expected, events, attempt + 1);
  });
}
