import { randomUUID } from 'node:crypto';
import { derivedId, Refusal } from '@ponte/kernel';
import type { CommandContext, DomainEvent } from '../event';
import { toAppend } from '../event';
import type { Decider } from '../decider';
import { KeyedMutex } from '../keyed-mutex';
import type { CommandSource, Outcome } from '../outcome';
import { WrongExpectedRevision } from '../ports/event-store';
import type { CachedStream } from './cached-stream';
import { RetryDecision } from './stream-cache';
import { appendResolvingUnknown, continuingTrace, isCommandBuilder, recordedAs, StreamWriter } from './stream-writer';

/**
 * Executes commands on streams that other processes write to as well. The first attempt decides on the cached state,
 * and the append detects whether that was current; later attempts read the stream first.
 *
 * Event ids are unique to one decision: they are derived from the command, from this writer and from a counter. So the
 * store can distinguish the same decision sent twice, which it stores once, from two decisions about one command. The
 * second of those gets a conflict, finds the command already executed, and returns what was recorded.
 */
export class SharedWriter extends StreamWriter {
  private readonly mutex = new KeyedMutex();
  /** Differs from that of any other writer, in this process, in another one or in an earlier one. */
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
    const request = isCommandBuilder(command)
      ? await this.gather(decider, stream, command, context, now, first === held)
      : command;
    // With several writers a revision does not identify an event, so a command is never decided on events that are
    // still being written: this process has one append at a time in progress per stream.
    return this.mutex.take(stream, async () => {
      const early = attempt === 1 ? this.decideOnCached(decider, stream, request, context) : undefined;
      if (early) {
        this.refuseLate(context);
        return this.append(decider, stream, early.cached, early.decided, context, now);
      }
      // The gathered facts may be newer than the cached state. A command without facts arrived before the read, so that
      // state is recent enough, and the append detects whether it has become outdated.
      const isStale = isCommandBuilder(command) || first === held || !cache.isCurrent(stream, first);
      const cached = isStale ? await cache.current(decider, stream) : first;
      return this.decide(decider, stream, cached, request, context, now);
    });
  }

  /**
   * Runs while holding the stream's mutex. The cached state advances once the events are durable. Throws {@link
   * RetryDecision} if another process appended to the stream first.
   */
  protected override async append<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
    decided: readonly E[],
    commandContext: CommandContext,
    now: string,
  ): Promise<Outcome<S, E>> {
    const { store, cache, pause, snapshots } = this.parts;
    const { revision: expected } = cached;
    const context = continuingTrace(decider, cached, commandContext);
    const events = toAppend(decided, decider.events, context, now, this.ids());
    const appending = appendResolvingUnknown(store, pause, stream, expected, events);
    cache.appendBegan(stream);
    try {
      const { position } = await appending;
      // Folded once, into the cached state. If a concurrent read already added these events, and perhaps later ones,
      // that state is returned.
      cached.moved(context, decided, expected);
      snapshots?.consider(decider, stream, cached);
      const { state, revision } = cached;
      return { state, revision, events: recordedAs(events, stream, expected + 1, position), replayed: false };
    } catch (error) {
      // The cached state is correct but incomplete. The next attempt reads the events after it.
      if (error instanceof WrongExpectedRevision) throw new RetryDecision();
      cache.forget(stream, cached);
      throw error;
    } finally {
      cache.appendEnded(stream);
    }
  }

  /** A repeated command gets its first answer whatever the facts are now: another process may have executed it. */
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
        if (cached.find(context.commandId)) throw new RetryDecision();
      }
      throw error;
    }
  }

  /**
   * Decides on the cached state without reading the store: if this yields events, the append checks their expected
   * revision. Undefined if nothing is cached or if it yields no events, because a refusal and "nothing to do" must be
   * based on the current state.
   */
  private decideOnCached<C, S, E extends DomainEvent>(
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
      // The command is decided again on the current state, whatever the error was.
      return undefined;
    }
  }

  private ids(): (commandId: string, index: number) => string {
    const decision = `${this.run}.${(this.decisions += 1)}`;
    return (commandId, index) => derivedId('event', commandId, decision, String(index));
  }
}
