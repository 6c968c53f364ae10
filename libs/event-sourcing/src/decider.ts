import type { DomainEvent, EventClass } from './event';
import type { SnapshotCodec } from './streams/snapshots';

/**
 * The rules of one kind of stream. Both functions are pure: time, ids, rates and look-ups come in with the command.
 * `decide` throws a `Refusal` when the command is not allowed and returns nothing when there is nothing to do.
 */
export interface Decider<C, S, E extends DomainEvent> {
  /** camelCase, without a dash; no category is a prefix of another. */
  readonly category: string;
  readonly initial: S;
  /** Every event class of the stream, for versions and upcasts. */
  readonly events: readonly EventClass[];
  /**
   * True for a stream that is one errand from its first event to its last: what is appended without a span belongs to
   * that of the first.
   */
  readonly continuesTrace?: true;
  /** For a stream that grows without end: what is kept of its state, so that a restart does not read all of it. */
  readonly snapshots?: SnapshotCodec<S>;
  decide(command: C, state: S): readonly E[];
  evolve(state: S, event: E): S;
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
