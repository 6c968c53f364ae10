/**
 * How a decider's state is written to a snapshot and read back. Only streams that grow without end need one.
 *
 * A stream with snapshots remembers the ids of only its latest {@link REMEMBERED_COMMANDS} commands. So its `decide`
 * must itself have no effect when an older command is repeated.
 */
export interface SnapshotCodec<S> {
  /**
   * Version of the state's shape and of the rules that fold it. Raise it whenever either changes: snapshots with
   * another shape are ignored, and the stream is folded from its events again.
   */
  readonly shape: number;
  /** Called between two events. The result must not contain references to anything in `state` that changes later. */
  encode(state: S): EncodedState;
  /**
   * Throws if `encoded` was not written by {@link SnapshotCodec.encode}. The parts belong to the state from then on.
   */
  decode(encoded: EncodedState): S;
}

/** A state as text and bytes. */
interface EncodedState {
  /** Any value that JSON can represent. */
  readonly head: unknown;
  /**
   * The large components of the state, in order. A part that is the same object as in an earlier snapshot must have the
   * same content; it is not written again.
   */
  readonly parts: readonly Uint8Array[];
}

/** The number of commands remembered in a stream with snapshots. Repeating one of them returns the first answer. */
export const REMEMBERED_COMMANDS = 4_096;

/** A snapshot as it is stored. Stores do not interpret it. */
export interface Snapshot {
  readonly stream: string;
  /** Revision of the last event in it. */
  readonly revision: number;
  /** {@link SnapshotCodec.shape}. */
  readonly shape: number;
  readonly body: string;
  /** By digest of the content. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

/**
 * Stores the newest snapshot of each stream. Snapshots are a cache: losing them costs time and nothing else, so a save
 * need not be durable. Every adapter passes the contract suite of `@ponte/testing`.
 */
export interface Snapshots {
  load(stream: string): Promise<Snapshot | undefined>;
  /** Replaces the stream's snapshot, unless the stored one has the same shape and a later revision. */
  save(snapshot: Snapshot): Promise<void>;
}
