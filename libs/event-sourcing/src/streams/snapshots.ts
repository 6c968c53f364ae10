/**
 * How a decider's state is written to a snapshot and read back. Only streams that grow without end need one.
 *
 * A stream with snapshots remembers the ids of its latest {@link REMEMBERED_COMMANDS} commands only. So its `decide`
 * must itself do nothing a second time when an older command is repeated.
 */
export interface SnapshotCodec<S> {
  /**
   * Version of the state's shape and of the rules that fold it. Raise it whenever either changes: snapshots of another
   * shape are ignored, and the stream is folded from its events again.
   */
  readonly shape: number;
  /** Called between two events, must not keep anything of `state` that changes later. */
  encode(state: S): EncodedState;
  /**
   * Throws when `encoded` is not what {@link SnapshotCodec.encode} wrote. The parts belong to the state from here on.
   */
  decode(encoded: EncodedState): S;
}

/** A state as text and bytes. */
export interface EncodedState {
  /** Anything that JSON can say. */
  readonly head: unknown;
  /**
   * What is large, in order. A part that is the same object as in an earlier snapshot has the same content and is not
   * written again.
   */
  readonly parts: readonly Uint8Array[];
}

/** Commands whose place in a stream with snapshots is remembered, so that repeating one gives the first answer. */
export const REMEMBERED_COMMANDS = 4_096;

/** A snapshot as it is stored. The store does not look into it. */
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
 * Where snapshots are kept: one per stream, the newest. They are a cache. Losing them costs time and nothing else, so a
 * save need not be durable. Every adapter passes the contract suite of `@ponte/testing`.
 */
export interface Snapshots {
  /** Or undefined. */
  load(stream: string): Promise<Snapshot | undefined>;
  /** Replaces the stream's snapshot unless one of the same shape and a later revision is there. */
  save(snapshot: Snapshot): Promise<void>;
}
