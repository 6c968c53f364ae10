import type { DomainEvent, EventClass } from './event';
import type { SnapshotCodec } from './streams/snapshots';

/**
 * The rules of one kind of stream. Both functions are pure: time, ids, rates and look-ups are part of the command.
 * `decide` throws a `Refusal` when the command is not allowed and returns nothing when there is nothing to do.
 */
export interface Decider<C, S, E extends DomainEvent> {
  /** In camelCase, without a dash. No category is a prefix of another. */
  readonly category: string;
  readonly initial: S;
  /** Every event class of the stream, for versions and upcasts. */
  readonly events: readonly EventClass[];
  /**
   * The event that creates the resource, if the stream may begin with another one: an abandoned attempt has a stream
   * without a resource. Default: the first event of the stream.
   */
  readonly creation?: EventClass;
  /**
   * True if the whole stream is one piece of work. An event appended without a span then gets the trace of the stream's
   * first event.
   */
  readonly continuesTrace?: true;
  /** For streams that grow without end: how the state is saved, so that a restart need not read the whole stream. */
  readonly snapshots?: SnapshotCodec<S>;
  decide(command: C, state: S): readonly E[];
  evolve(state: S, event: E): S;
}

/** An event of a type or version that this build does not know. A consumer parks it instead of skipping it. */
export class UnknownEvent extends Error {
  override readonly name = 'UnknownEvent';
  constructor(
    readonly type: string,
    readonly version: number,
  ) {
    super(`event ${type} version ${version} is not known`);
  }
}
