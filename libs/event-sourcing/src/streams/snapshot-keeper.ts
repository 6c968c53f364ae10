import { createHash } from 'node:crypto';
import type { Decider } from '../decider';
import type { DomainEvent, Position } from '../event';
import type { EventStore } from '../ports/event-store';
import type { RevisionRange } from './cached-stream';
import { CachedStream } from './cached-stream';
import type { SnapshotCodec, Snapshots } from './snapshots';

/** Events between two snapshots of a stream, and so about the largest number to fold after a restart. */
export const SNAPSHOT_EVERY = 1_000;
const DIGEST_DIGITS = 64;

/** The text of a snapshot, after its digest. */
interface Body {
  /** The last event in the snapshot. If the log does not contain it, the snapshot belongs to another log. */
  readonly eventId: string;
  readonly position: Position;
  readonly traceparent?: string;
  readonly commands: readonly (readonly [commandId: string, first: number, count: number])[];
  readonly head: unknown;
  /** Digests, in order. */
  readonly parts: readonly string[];
}

interface SnapshotKeeperOptions {
  readonly snapshots: Snapshots;
  readonly store: Pick<EventStore, 'read'>;
  /** Called when a snapshot could not be read or written. Nothing else depends on it. */
  readonly failed: (stream: string, error: unknown) => void;
}

/** Takes snapshots of streams and opens streams from them. */
export class SnapshotKeeper {
  private readonly saving = new Set<string>();
  /** Digests of the parts, cached by object identity. */
  private readonly digests = new WeakMap<Uint8Array, string>();

  constructor(private readonly options: SnapshotKeeperOptions) {}

  /** Restores the stream from its snapshot; undefined if the snapshot does not match the code or the log. */
  async open<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
  ): Promise<CachedStream<S, E> | undefined> {
    const codec = decider.snapshots;
    if (!codec) return undefined;
    try {
      const snapshot = await this.options.snapshots.load(stream);
      if (!snapshot || snapshot.shape !== codec.shape) return undefined;
      const { revision, parts } = snapshot;
      const body = this.bodyOf(snapshot.body);
      // After a restore, the log may lack the snapshot's last event or have another event at its revision.
      const [last] = await this.options.store.read(stream, { from: revision, limit: 1 });
      if (last?.id !== body.eventId || last.position !== body.position) return undefined;
      const state = codec.decode({ head: body.head, parts: body.parts.map((digest) => this.partOf(parts, digest)) });
      return CachedStream.restored(decider, {
        state,
        revision,
        traceparent: body.traceparent,
        commands: body.commands.map(rangeOf),
      });
    } catch (error) {
      this.options.failed(stream, error);
      return undefined;
    }
  }

  /** Saves a snapshot in the background if enough events were added since the last one. */
  consider<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string, cached: CachedStream<S, E>): void {
    const codec = decider.snapshots;
    if (!codec || cached.revision - cached.savedAt < SNAPSHOT_EVERY || this.saving.has(stream)) return;
    cached.savedAt = cached.revision;
    this.saving.add(stream);
    void this.save(codec, stream, cached)
      .catch((error: unknown) => this.options.failed(stream, error))
      .finally(() => this.saving.delete(stream));
  }

  private async save<S, E extends DomainEvent>(
    codec: SnapshotCodec<S>,
    stream: string,
    cached: CachedStream<S, E>,
  ): Promise<void> {
    const { revision, traceparent } = cached;
    const { head, parts } = codec.encode(cached.state);
    const commands = [...cached.commands()].map(([id, { first, count }]) => [id, first, count] as const);
    // The state may be ahead of the log. Only durable state is saved.
    await cached.settled();
    const [last] = await this.options.store.read(stream, { from: revision, limit: 1 });
    if (!last || cached.broken) return;
    const named = new Map(parts.map((part) => [this.digestOf(part), part]));
    const body: Body = {
      eventId: last.id,
      position: last.position,
      ...(traceparent === undefined ? {} : { traceparent }),
      commands,
      head,
      parts: parts.map((part) => this.digestOf(part)),
    };
    const text = JSON.stringify(body);
    await this.options.snapshots.save({
      stream,
      revision,
      shape: codec.shape,
      body: `${sha256(text)}${text}`,
      parts: named,
    });
  }

  private bodyOf(stored: string): Body {
    const text = stored.slice(DIGEST_DIGITS);
    if (sha256(text) !== stored.slice(0, DIGEST_DIGITS)) throw new Error('the snapshot is damaged');
    return JSON.parse(text) as Body;
  }

  private partOf(parts: ReadonlyMap<string, Uint8Array>, digest: string): Uint8Array {
    const part = parts.get(digest);
    if (!part) throw new Error('a part of the snapshot is missing');
    if (sha256(part) !== digest) throw new Error('a part of the snapshot is damaged');
    return part;
  }

  private digestOf(part: Uint8Array): string {
    const digest = this.digests.get(part) ?? sha256(part);
    this.digests.set(part, digest);
    return digest;
  }
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

const rangeOf = ([id, first, count]: Body['commands'][number]): readonly [string, RevisionRange] => [
  id,
  { first, count },
];
