import type { DomainEvent, Recorded } from './event';

/**
 * The result of a command: the state after its events, or the current state if the command had been executed before.
 */
export interface Outcome<S, E extends DomainEvent> {
  readonly state: S;
  readonly revision: number;
  readonly events: readonly Recorded<E>[];
  /** True when the command's events were already in the stream. */
  readonly replayed: boolean;
}

/** A command, or a function that builds it from facts at the given business time (ISO 8601). */
export type CommandSource<C> = C | ((now: string) => C | Promise<C>);

export interface Loaded<S> {
  readonly state: S;
  /** -1 when the stream does not exist. */
  readonly revision: number;
  /** The span in which the first event of the stream was decided, if it was traced. */
  readonly traceparent?: string;
}
