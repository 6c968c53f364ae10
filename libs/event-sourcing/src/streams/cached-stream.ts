import type { Decider } from '../decider';
import { fold } from '../decider';
import type { DomainEvent, Recorded } from '../event';
import type { RequestContext } from '../message';
import { REMEMBERED_COMMANDS } from './snapshots';

/** Where in the stream the events of a command stand. */
export interface CommandTrace {
  readonly first: number;
  readonly count: number;
}

const NOTHING_PENDING: Promise<unknown> = Promise.resolve();

/** What a snapshot says of a stream. */
export interface RestoredStream<S> {
  readonly state: S;
  readonly revision: number;
  readonly traceparent: string | undefined;
  /** The latest commands, oldest first. */
  readonly commands: readonly (readonly [commandId: string, trace: CommandTrace])[];
}

/**
 * One stream as this process sees it. The state may run ahead of what is durable: a command is decided on the events of
 * the ones before it while those are still being written, since their revisions make the store refuse it if they fail.
 * A caller that answers from the state has to wait for {@link settled} first.
 */
export class CachedStream<S, E extends DomainEvent> {
  /** Where the events of each command stand, oldest command first. */
  private traces = new Map<string, CommandTrace>();
  private pending: Promise<unknown> | undefined;
  /** Set when an append failed: what is held is not the log, and it must not be used again. */
  broken = false;
  /** The span of the first event, if it was traced. */
  traceparent: string | undefined;
  /** Revision of the latest snapshot, or -1. */
  savedAt = -1;

  private constructor(
    private readonly decider: Decider<never, S, E>,
    public state: S,
    public revision: number,
  ) {}

  static from<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    recorded: readonly Recorded<E>[],
  ): CachedStream<S, E> {
    const cached = new CachedStream<S, E>(decider, decider.initial, -1);
    cached.absorb(recorded);
    return cached;
  }

  /** The stream as of a snapshot. */
  static restored<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    { state, revision, traceparent, commands }: RestoredStream<S>,
  ): CachedStream<S, E> {
    const cached = new CachedStream<S, E>(decider, state, revision);
    cached.savedAt = revision;
    cached.traceparent = traceparent;
    cached.traces = new Map(commands);
    return cached;
  }

  /** Takes in durable events that follow what is held. */
  absorb(recorded: readonly Recorded<E>[]): void {
    if (this.revision < 0) this.traceparent = recorded[0]?.meta.traceparent;
    for (const event of recorded) this.trace(event.meta.commandId, event.revision, 1);
    this.state = fold(this.decider, this.state, recorded as unknown as E[]);
    this.revision = recorded.at(-1)?.revision ?? this.revision;
  }

  find(commandId: string): CommandTrace | undefined {
    return this.traces.get(commandId);
  }

  /** The commands that are remembered, oldest first. */
  commands(): Iterable<readonly [commandId: string, trace: CommandTrace]> {
    return this.traces;
  }

  /** Runs ahead with events whose append is under way; {@link landed} follows, or the stream breaks. */
  advance(
    { commandId, traceparent }: Pick<RequestContext, 'commandId' | 'traceparent'>,
    events: readonly E[],
    append: Promise<unknown>,
  ): void {
    if (this.revision < 0) this.traceparent = traceparent;
    this.state = fold(this.decider, this.state, events);
    this.trace(commandId, this.revision + 1, events.length);
    this.revision += events.length;
    this.pending = append;
  }

  /** Events were kept that were decided on `revision`, unless a look at the log has brought them already. */
  moved(
    { commandId, traceparent }: Pick<RequestContext, 'commandId' | 'traceparent'>,
    events: readonly E[],
    revision: number,
  ): void {
    if (this.revision !== revision) return;
    if (revision < 0) this.traceparent = traceparent;
    this.state = fold(this.decider, this.state, events);
    this.trace(commandId, revision + 1, events.length);
    this.revision += events.length;
  }

  /** An append was kept. */
  landed(append: Promise<unknown>): void {
    if (this.pending === append) this.pending = undefined;
  }

  /** True when everything in the state is durable. */
  get atRest(): boolean {
    return this.pending === undefined && !this.broken;
  }

  /**
   * Resolves when everything in the state is durable; rejects when it never will be. The last append tells for those
   * before it: it names the revision that they lead to, so it is kept only if they are.
   */
  settled(): Promise<unknown> {
    return this.pending ?? NOTHING_PENDING;
  }

  private trace(commandId: string, revision: number, count: number): void {
    const known = this.find(commandId);
    const trace = known ? { first: known.first, count: known.count + count } : { first: revision, count };
    this.traces.set(commandId, trace);
    // Half of the commands at once, so that forgetting costs nothing per command.
    if (this.decider.snapshots && this.traces.size > 2 * REMEMBERED_COMMANDS + 1)
      this.traces = new Map([...this.traces].slice(-REMEMBERED_COMMANDS));
  }
}
