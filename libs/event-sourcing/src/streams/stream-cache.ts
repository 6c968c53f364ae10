import { LRUCache } from 'lru-cache';
import type { Decider } from '../decider';
import type { DomainEvent } from '../event';
import type { StreamStore } from '../ports/event-store';
import { CachedStream } from './cached-stream';
import { SingleFlight } from '../single-flight';
import type { SnapshotKeeper } from './snapshot-keeper';
import { pagesOf } from './stream-pages';
import { upcaster } from '../upcasting';

/** Lost a race, or what was held turned out wrong: decide again on what the log says now. */
export class Again extends Error {}

/** The stream of any aggregate; the cache does not care whose. */
type AnyCachedStream = Pick<CachedStream<unknown, DomainEvent>, 'settled' | 'broken'>;

interface PendingAppends {
  count: number;
  ended?: Promise<void>;
  end?: () => void;
}

/** The streams that this process holds, and the appends to them that it has under way. */
export class StreamCache {
  /** Streams, and the readings that will bring one. */
  private readonly kept: LRUCache<string, AnyCachedStream | Promise<AnyCachedStream>>;
  private readonly singleFlight = new SingleFlight<AnyCachedStream>();
  private readonly pendingAppends = new Map<string, PendingAppends>();

  constructor(
    private readonly store: StreamStore,
    capacity: number,
    private readonly snapshots?: SnapshotKeeper,
  ) {
    this.kept = new LRUCache({ max: capacity });
  }

  /** The stream that is here and needs no look at the log; nearly always so, where no one else writes. */
  ready<S, E extends DomainEvent>(stream: string): CachedStream<S, E> | undefined {
    return this.store.soleWriter ? this.held<S, E>(stream) : undefined;
  }

  /** The stream that is here, whether or not others have written since. */
  held<S, E extends DomainEvent>(stream: string): CachedStream<S, E> | undefined {
    const held = this.kept.get(stream);
    return held === undefined || held instanceof Promise || held.broken ? undefined : (held as CachedStream<S, E>);
  }

  /** What this process holds of a stream, brought up to the log when others write to it too. */
  async current<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): Promise<CachedStream<S, E>> {
    const held = this.kept.get(stream) as CachedStream<S, E> | Promise<CachedStream<S, E>> | undefined;
    if (held) {
      const cached = await held;
      if (!cached.broken) {
        if (!this.store.soleWriter) await this.catchUp(decider, stream, cached);
        return cached;
      }
      this.forget(stream, cached);
    }
    const opened = this.kept.get(stream) as CachedStream<S, E> | Promise<CachedStream<S, E>> | undefined;
    return opened ?? this.open(decider, stream);
  }

  /** Takes a stream for new, when nothing is known of it here. */
  create<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): void {
    if (this.kept.peek(stream) !== undefined || this.appendsEnded(stream)) return;
    this.kept.set(stream, CachedStream.from<S, E>(decider, []) as AnyCachedStream);
  }

  isCurrent(stream: string, cached: AnyCachedStream): boolean {
    return !cached.broken && this.kept.peek(stream) === cached;
  }

  forget(stream: string, cached: AnyCachedStream): void {
    cached.broken = true;
    if (this.kept.peek(stream) === cached) this.kept.delete(stream);
  }

  /** An answer from a state that is still being written waits; if the write fails the command starts over. */
  async durably(stream: string, cached: AnyCachedStream): Promise<void> {
    try {
      await cached.settled();
    } catch {
      this.forget(stream, cached);
      throw new Again();
    }
  }

  /** An append began; {@link appendEnded} follows, whatever becomes of it. */
  appendBegan(stream: string): void {
    const pending = this.pendingAppends.get(stream);
    if (pending) pending.count += 1;
    else this.pendingAppends.set(stream, { count: 1 });
  }

  appendEnded(stream: string): void {
    const pending = this.pendingAppends.get(stream);
    if (!pending || (pending.count -= 1) > 0) return;
    this.pendingAppends.delete(stream);
    pending.end?.();
  }

  /** Resolves when every append to the stream has come to an end, good or bad; undefined when none is under way. */
  appendsEnded(stream: string): Promise<void> | undefined {
    const pending = this.pendingAppends.get(stream);
    // Callers rarely wait, so the promise is created on demand.
    if (pending)
      pending.ended ??= new Promise<void>((resolve) => {
        pending.end = resolve;
      });
    return pending?.ended;
  }

  private open<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): Promise<CachedStream<S, E>> {
    // What failed or was evicted may have left appends under way. They end first: else one of them could land between
    // two later decisions, at the revision that the second takes for the first's.
    const ended = this.appendsEnded(stream);
    const reading = ended ? ended.then(() => this.readIn(decider, stream)) : this.readIn(decider, stream);
    const opening = reading.then((cached) => {
      // Unless it was evicted meanwhile: then it is detached, and its waiters start again.
      if (this.kept.peek(stream) === (opening as unknown)) this.kept.set(stream, cached as AnyCachedStream);
      this.snapshots?.consider(decider, stream, cached);
      return cached;
    });
    this.kept.set(stream, opening as Promise<AnyCachedStream>);
    opening.catch(() => {
      if (this.kept.peek(stream) === (opening as unknown)) this.kept.delete(stream);
    });
    return opening;
  }

  /** From the snapshot, if there is one, and folded page by page: a long stream is never in memory as a whole. */
  private async readIn<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
  ): Promise<CachedStream<S, E>> {
    const cached = (await this.snapshots?.open(decider, stream)) ?? CachedStream.from<S, E>(decider, []);
    await this.absorbNewer(decider, stream, cached);
    return cached;
  }

  private async absorbNewer<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
  ): Promise<void> {
    for await (const page of pagesOf(this.store, stream, cached.revision + 1)) {
      // What this process began to write meanwhile is held already. Should that append fail, all that is held breaks.
      cached.absorb(
        page.filter(({ revision }) => revision > cached.revision).map((event) => upcaster(decider.events)<E>(event)),
      );
    }
  }

  /**
   * Read once for all who ask while an earlier reading is under way: a stream that many want at once is not read once
   * for each of them.
   */
  private catchUp<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
  ): Promise<void> {
    return this.singleFlight.take(cached as AnyCachedStream, async () => {
      await this.durably(stream, cached);
      await this.absorbNewer(decider, stream, cached);
      this.snapshots?.consider(decider, stream, cached);
    });
  }
}
