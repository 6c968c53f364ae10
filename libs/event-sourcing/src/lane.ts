import type { Decider } from './decider';
import { fold } from './decider';
import type { DomainEvent, Recorded } from './event';

/** Where in the stream the events of a command stand. */
export interface CommandTrace { readonly first: number; readonly count: number }

/**
 * One stream as this process sees it. The state may run ahead of what is durable: a command is decided on the events of
 * the ones before it while those are still being written, since their revisions make the store refuse it if they fail.
 * Whoever answers from the state waits for {@link settled} first.
 */
export class Lane<S, E extends DomainEvent> {
  private readonly traces = new Map<string, CommandTrace>();
  private durable: Promise<void> = Promise.resolve();
  /** Set when an append failed: what the lane holds is not the log, and it must not be used again. */
  broken = false;

  private constructor(private readonly decider: Decider<never, S, E>, public state: S, public revision: number) {}

  static from<S, E extends DomainEvent>(decider: Decider<never, S, E>, recorded: readonly Recorded<E>[]): Lane<S, E> {
    const lane = new Lane<S, E>(decider, decider.initial, -1);
    lane.absorb(recorded);
    return lane;
  }

  /** Takes in durable events that follow what is held. */
  absorb(recorded: readonly Recorded<E>[]): void {
    for (const event of recorded) this.trace(event.meta.commandId, event.revision);
    this.state = fold(this.decider, this.state, recorded as unknown as E[]);
    this.revision = recorded.at(-1)?.revision ?? this.revision;
  }

  find(commandId: string): CommandTrace | undefined { return this.traces.get(commandId); }

  /** Runs ahead with events whose append is under way. */
  advance(commandId: string, events: readonly E[], append: Promise<unknown>): void {
    this.state = fold(this.decider, this.state, events);
    for (const _ of events) this.trace(commandId, (this.revision += 1));
    const before = this.durable;
    this.durable = before.then(() => append).then(() => undefined);
    this.durable.catch(() => { this.broken = true; });
  }

  /** Resolves when everything in the state is durable; rejects when it never will be. */
  settled(): Promise<void> { return this.durable; }

  private trace(commandId: string, revision: number): void {
    const known = this.traces.get(commandId);
    this.traces.set(commandId, known ? { first: known.first, count: known.count + 1 } : { first: revision, count: 1 });
  }
}
