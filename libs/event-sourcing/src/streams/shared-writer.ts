import { randomUUID } from 'node:crypto';
import { derivedId, Refusal } from '@ponte/kernel';
import type { CommandContext } from '../command-context';
import { toAppend } from '../command-context';
import type { Decider } from '../decider';
import type { DomainEvent } from '../event';
import { KeyedMutex } from '../keyed-mutex';
import type { CommandSource, Outcome } from '../outcome';
import { WrongExpectedRevision } from '../ports/event-store';
import { appendResolvingUnknown } from './append-resolving-unknown';
import type { CachedStream } from './cached-stream';
import { Again } from './stream-cache';
import { continuingTrace, gathers, recordedAs, StreamWriter } from './stream-writer';

/**
 * Carries out commands on streams that other processes write to as well. The first attempt decides on what is held
 * here, and the append tells whether that was all; a later one looks at the stream before.
 *
 * Events have ids of one decision: derived from their command, from this writer and from a count. So the store tells a
 * decision that is sent twice, which it keeps once, from two decisions about one command, of which the second meets a
 * conflict, finds the command done, and answers what was recorded.
 */
export class SharedWriter extends StreamWriter {
  private readonly mutex = new KeyedMutex();
  /** Unlike that of any other writer, in this process, in another one or in an earlier one. */
  private readonly run = randomUUID();
  private decisions = 0;

  override async attempt<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: CommandSource<C>,
    context: CommandContext,
    attempt: number,
  ): Promise<Outcome<S, E>> {
    const { cache } = this.parts;
    const held = attempt === 1 ? cache.held<S, E>(stream) : undefined;
    const first = held && !held.find(context.commandId) ? held : await cache.current(decider, stream);
    if (first.find(context.commandId)) return this.repeat(decider, first, stream, context.commandId);
    const now = context.now();
    const request = gathers(command)
      ? await this.gather(decider, stream, command, context, now, first === held)
      : command;
    // With several writers a revision does not say which event has it, so nothing is decided on an event that is still
    // being written: this process has one append at a time in progress on the stream.
    return this.mutex.take(stream, async () => {
      const guess = attempt === 1 ? this.guess(decider, stream, request, context) : undefined;
      if (guess) {
        this.refuseLate(context);
        return this.append(decider, stream, guess.cached, guess.decided, context, now);
      }
      // Facts may be newer than the look before them. Without any, that look was taken after the command came, and the
      // append tells if it is old.
      const stale = gathers(command) || first === held || !cache.isCurrent(stream, first);
      const cached = stale ? await cache.current(decider, stream) : first;
      return this.decide(decider, stream, cached, request, context, now);
    });
  }

  /**
   * In the stream's turn. What is held moves when the events are kept; throws {@link Again} when the stream has moved
   * on.
   */
  protected override async append<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
    decided: readonly E[],
    asked: CommandContext,
    now: string,
  ): Promise<Outcome<S, E>> {
    const { store, cache, pause, snapshots } = this.parts;
    const { revision: expected } = cached;
    const context = continuingTrace(decider, cached, asked);
    const events = toAppend(decided, decider.events, context, now, this.ids());
    const appending = appendResolvingUnknown(store, pause, stream, expected, events);
    cache.appendBegan(stream);
    try {
      const { position } = await appending;
      // Folded once, in what is held. When a look at the log was quicker, it has these events and perhaps later ones:
      // the answer is what it says.
      cached.moved(context, decided, expected);
      snapshots?.consider(decider, stream, cached);
      const { state, revision } = cached;
      return { state, revision, events: recordedAs(events, stream, expected + 1, position), replayed: false };
    } catch (error) {
      // What is held is right as far as it goes, and the next attempt looks what came after it.
      if (error instanceof WrongExpectedRevision) throw new Again();
      cache.forget(stream, cached);
      throw error;
    } finally {
      cache.appendEnded(stream);
    }
  }

  /** A repeated command gets its first answer, whatever the facts are now: another process may have carried it out. */
  private async gather<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: (now: string) => C | Promise<C>,
    context: CommandContext,
    now: string,
    unread: boolean,
  ): Promise<C> {
    try {
      return await command(now);
    } catch (error) {
      if (error instanceof Refusal && unread) {
        const cached = await this.parts.cache.current(decider, stream);
        if (cached.find(context.commandId)) throw new Again();
      }
      throw error;
    }
  }

  /**
   * Decides on what this process holds of a stream, without asking the store whether that is all: if it yields events,
   * their expected revision asks. Undefined where nothing is held, and where it yields no events: a refusal and
   * "nothing to do" must rest on what is there now.
   */
  private guess<C, S, E extends DomainEvent>(
    decider: Decider<C, S, E>,
    stream: string,
    command: C,
    context: CommandContext,
  ): { readonly cached: CachedStream<S, E>; readonly decided: readonly E[] } | undefined {
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

  private ids(): (commandId: string, index: number) => string {
    const decision = `${this.run}.${(this.decisions += 1)}`;
    return (commandId, index) => derivedId('event', commandId, decision, String(index));
  }
}
