import { derivedId } from '@ponte/kernel';
import type { CommandContext } from '../command-context';
import { toAppend } from '../command-context';
import type { Decider } from '../decider';
import type { DomainEvent, EventToAppend, Position, Recorded } from '../event';
import type { Appended } from '../ports/event-store';
import { WrongExpectedRevision } from '../ports/event-store';
import type { PendingAppends } from './pending-appends';
import type { CachedStream } from './cached-stream';
import type { StreamCache } from './stream-cache';
import { Again } from './stream-cache';
import type { Outcome } from '../outcome';
import type { SnapshotKeeper } from './snapshot-keeper';

/** Events, and what they were decided on. */
export interface Guess<S, E extends DomainEvent> {
  readonly cached: CachedStream<S, E>;
  readonly decided: readonly E[];
}

export interface SharedWritesParts {
  readonly cache: StreamCache;
  readonly pendingAppends: PendingAppends;
  /** Appends, and resolves an unknown outcome by the same ids. */
  readonly append: (stream: string, expected: number, events: readonly EventToAppend[]) => Promise<Appended>;
  /** Unlike that of any other process, and of this one's last life. */
  readonly run: string;
  readonly snapshots?: SnapshotKeeper;
}

/**
 * Appends to streams that other processes write to as well. Events have ids of one decision: derived from their
 * command, from this process and from a count. So the store tells a decision that is sent twice, which it keeps once,
 * from two decisions about one command, of which the second meets a conflict, finds the command done, and answers what
 * was recorded.
 */
export class SharedWrites {
  private decisions = 0;

  constructor(private readonly parts: SharedWritesParts) {}

  /**
   * Decides on what this process holds of a stream, without asking the store whether that is all: if it yields events,
   * their expected revision asks. Undefined where nothing is held, and where it yields no events: a refusal and
   * "nothing to do" must rest on what is there now.
   */
  guess<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: C,
    context: CommandContext,
  ): Guess<S, E> | undefined {
    const cached = this.parts.cache.held<S, E>(stream);
    if (!cached || cached.find(context.commandId)) return undefined;
    try {
      const decided = decider.decide(command, cached.state);
      return decided.length > 0 ? { cached, decided } : undefined;
    } catch {
      // Decided again on what is there now, whatever it was.
      return undefined;
    }
  }

  /**
   * In the stream's turn. The lane moves when the events are kept; throws {@link Again} when the stream has moved on.
   */
  async append<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
    { cached, decided }: Guess<S, E>,
    asked: CommandContext,
    now: string,
  ): Promise<Outcome<S, E>> {
    const { revision: expected } = cached;
    const { append, pendingAppends, cache, snapshots } = this.parts;
    const context = continuingTrace(decider, cached, asked);
    const events = toAppend(decided, decider.events, context, now, this.ids());
    const appending = append(stream, expected, events);
    pendingAppends.began(stream);
    try {
      const { position } = await appending;
      // Folded once, in the lane. When a look at the log was quicker, the lane has these events and perhaps later ones:
      // it answers as it stands.
      cached.moved(context, decided, expected);
      snapshots?.consider(decider, stream, cached);
      return {
        state: cached.state,
        revision: cached.revision,
        events: recordedAs(events, stream, expected + 1, position),
        replayed: false,
      };
    } catch (error) {
      // What is held is right as far as it goes, and the next attempt looks what came after it.
      if (error instanceof WrongExpectedRevision) throw new Again();
      cache.forget(stream, cached);
      throw error;
    } finally {
      pendingAppends.ended(stream);
    }
  }

  private ids(): (commandId: string, index: number) => string {
    const decision = `${this.parts.run}.${(this.decisions += 1)}`;
    return (commandId, index) => derivedId('event', commandId, decision, String(index));
  }
}

/** What is appended to an errand without a span belongs to that of its first event. */
export const continuingTrace = <S, E extends DomainEvent>(
  decider: Decider<never, S, E>,
  cached: CachedStream<S, E>,
  asked: CommandContext,
): CommandContext =>
  decider.continuesTrace && asked.traceparent === undefined ? { ...asked, traceparent: cached.traceparent } : asked;

/** Appended events as they will be read back. */
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
