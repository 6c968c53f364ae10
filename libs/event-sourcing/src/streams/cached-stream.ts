import type { Decider } from '../decider';
import { UnknownEvent } from '../decider';
import type { DomainEvent, EventClass, Recorded } from '../event';
import type { RequestContext } from '../message';
import { REMEMBERED_COMMANDS } from './snapshots';

/** The place of a command's events in the stream: the first revision and the number of events. */
export interface RevisionRange {
  readonly first: number;
  readonly count: number;
}

type CommandOrigin = Pick<RequestContext, 'commandId' | 'traceparent'>;

const NOTHING_PENDING: Promise<unknown> = Promise.resolve();

/** The content of a stream's snapshot. */
interface RestoredStream<S> {
  readonly state: S;
  readonly revision: number;
  readonly traceparent: string | undefined;
  /** The latest commands, oldest first. */
  readonly commands: readonly (readonly [commandId: string, range: RevisionRange])[];
}

/**
 * One stream as this process knows it. The state may be ahead of what is durable: a command is decided on the events of
 * earlier commands while those are still being written. If they fail, the store refuses the later append because of its
 * revision. Before answering from the state, wait for {@link settled}.
 */
export class CachedStream<S, E extends DomainEvent> {
  /** The place of each command's events, oldest command first. */
  private ranges = new Map<string, RevisionRange>();
  private pending: Promise<unknown> | undefined;
  /**
   * Set when an append failed, or when a later event cannot follow in the cached state, as may happen to a stream that
   * its store joins from two sources: the state differs from the log and must not be used again.
   */
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

  static empty<S, E extends DomainEvent>(decider: Decider<never, S, E>): CachedStream<S, E> {
    return new CachedStream<S, E>(decider, decider.initial, -1);
  }

  static restored<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    { state, revision, traceparent, commands }: RestoredStream<S>,
  ): CachedStream<S, E> {
    const cached = new CachedStream<S, E>(decider, state, revision);
    cached.savedAt = revision;
    cached.traceparent = traceparent;
    cached.ranges = new Map(commands);
    return cached;
  }

  /** Adds durable events, of any version of their types, that follow the cached ones. */
  absorb(recorded: readonly Recorded[]): void {
    const events = recorded.map(upcaster(this.decider.events)<E>);
    if (this.revision < 0) this.traceparent = recorded[0]?.meta.traceparent;
    for (const event of recorded) this.noteCommand(event.meta.commandId, event.revision, 1);
    try {
      this.state = fold(this.decider, this.state, events as unknown as E[]);
    } catch (error) {
      this.broken = true;
      throw error;
    }
    this.revision = recorded.at(-1)?.revision ?? this.revision;
  }

  find(commandId: string): RevisionRange | undefined {
    return this.ranges.get(commandId);
  }

  /** The commands that are remembered, oldest first. */
  commands(): Iterable<readonly [commandId: string, range: RevisionRange]> {
    return this.ranges;
  }

  /** Adds events whose append is in progress. {@link appended} follows; if the append fails, the stream is broken. */
  advance(command: CommandOrigin, events: readonly E[], append: Promise<unknown>): void {
    this.add(command, events);
    this.pending = append;
  }

  /** Adds events that were decided on `revision` and are now durable, unless they were read from the log already. */
  moved(command: CommandOrigin, events: readonly E[], revision: number): void {
    if (this.revision === revision) this.add(command, events);
  }

  /** Marks an append as successful. */
  appended(append: Promise<unknown>): void {
    if (this.pending === append) this.pending = undefined;
  }

  /** True when everything in the state is durable. */
  get atRest(): boolean {
    return this.pending === undefined && !this.broken;
  }

  /**
   * Resolves when everything in the state is durable; rejects if it never will be. Waiting for the last append is
   * enough: it expects the revision that the earlier ones produce, so it succeeds only if they do.
   */
  settled(): Promise<unknown> {
    return this.pending ?? NOTHING_PENDING;
  }

  private add({ commandId, traceparent }: CommandOrigin, events: readonly E[]): void {
    if (this.revision < 0) this.traceparent = traceparent;
    this.state = fold(this.decider, this.state, events);
    this.noteCommand(commandId, this.revision + 1, events.length);
    this.revision += events.length;
  }

  private noteCommand(commandId: string, revision: number, count: number): void {
    const known = this.find(commandId);
    const range = known ? { first: known.first, count: known.count + count } : { first: revision, count };
    this.ranges.set(commandId, range);
    // Forgets half of the commands at once, so that the cost per command is negligible.
    if (this.decider.snapshots && this.ranges.size > 2 * REMEMBERED_COMMANDS + 1)
      this.ranges = new Map([...this.ranges].slice(-REMEMBERED_COMMANDS));
  }
}

/** Folds events, oldest first, onto a state. */
export function fold<S, E extends DomainEvent>(
  decider: Pick<Decider<never, S, E>, 'evolve'>,
  state: S,
  events: Iterable<E>,
): S {
  let folded = state;
  for (const event of events) folded = decider.evolve(folded, event);
  return folded;
}

/** Brings recorded events to the current version of their type, step by step. */
export function upcaster(classes: readonly EventClass[]): <E extends DomainEvent>(recorded: Recorded) => Recorded<E> {
  const known = new Map(classes.map((one) => [one.type, one]));
  return <E extends DomainEvent>(recorded: Recorded): Recorded<E> => {
    const target = known.get(recorded.type);
    if (!target || recorded.version > target.version) throw new UnknownEvent(recorded.type, recorded.version);
    if (recorded.version === target.version) return recorded as Recorded<E>;
    let data: object = recorded.data;
    for (let version = recorded.version; version < target.version; version += 1) {
      const step = target.upcasts[version];
      if (!step) throw new UnknownEvent(recorded.type, recorded.version);
      data = step(data as never);
    }
    return { ...recorded, version: target.version, data } as Recorded<E>;
  };
}
