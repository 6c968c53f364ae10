import type { LRUCache } from 'lru-cache';
import { lruCache } from '@ponte/kernel';
import type { Decider } from '../decider';
import type { DomainEvent, Recorded } from '../event';
import type { StreamStore, EventStore } from '../ports/event-store';
import { CachedStream } from './cached-stream';
import { SingleFlight } from '../single-flight';
import type { SnapshotKeeper } from './snapshot-keeper';

/** A conflict with another append, or the cached state was wrong: decide again on the current log. */
export class RetryDecision extends Error {}

type AnyCachedStream = Pick<CachedStream<unknown, DomainEvent>, 'settled' | 'broken'>;

interface PendingAppends {
  count: number;
  ended?: Promise<void>;
  end?: () => void;
}

/** The streams cached by this process, and its appends in progress. */
export class StreamCache {
  /** Cached streams, and the promises of streams being read. */
  private readonly kept: LRUCache<string, AnyCachedStream | Promise<AnyCachedStream>>;
  private readonly singleFlight = new SingleFlight<AnyCachedStream>();
  private readonly pendingAppends = new Map<string, PendingAppends>();

  constructor(
    private readonly store: StreamStore,
    capacity: number,
    private readonly snapshots?: SnapshotKeeper,
  ) {
    this.kept = lruCache(capacity);
  }

  /** The cached stream, if it needs no read of the log. With a sole writer that is nearly always the case. */
  ready<S, E extends DomainEvent>(stream: string): CachedStream<S, E> | undefined {
    return this.store.soleWriter ? this.held<S, E>(stream) : undefined;
  }

  /** The cached stream, even if other processes have written to it since. */
  held<S, E extends DomainEvent>(stream: string): CachedStream<S, E> | undefined {
    const cached = this.kept.get(stream);
    return cached === undefined || cached instanceof Promise || cached.broken
      ? undefined
      : (cached as CachedStream<S, E>);
  }

  /** The cached stream. If other processes write too, the log is read first to bring it up to date. */
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

  /** Caches the stream as new and empty, if this process knows nothing about it. */
  create<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): void {
    if (this.kept.peek(stream) !== undefined || this.appendsEnded(stream)) return;
    this.kept.set(stream, CachedStream.empty<S, E>(decider) as AnyCachedStream);
  }

  isCurrent(stream: string, cached: AnyCachedStream): boolean {
    return !cached.broken && this.kept.peek(stream) === cached;
  }

  forget(stream: string, cached: AnyCachedStream): void {
    cached.broken = true;
    if (this.kept.peek(stream) === cached) this.kept.delete(stream);
  }

  /**
   * Waits until the state is durable. If its append fails, throws {@link RetryDecision}, and the command starts over.
   */
  async durably(stream: string, cached: AnyCachedStream): Promise<void> {
    try {
      await cached.settled();
    } catch {
      this.forget(stream, cached);
      throw new RetryDecision();
    }
  }

  /** Registers an append in progress. {@link appendEnded} must follow, whether it succeeds or not. */
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

  /** Resolves when every append to the stream has succeeded or failed; undefined if none is in progress. */
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
    // A broken or evicted stream may have appends in progress. Wait for them: otherwise one could land between two
    // later decisions, at the revision that the second decision expects the first to have.
    const ended = this.appendsEnded(stream);
    const reading = ended ? ended.then(() => this.readIn(decider, stream)) : this.readIn(decider, stream);
    const opening = reading.then((cached) => {
      // If it was evicted meanwhile, it is not cached, and the callers waiting for it start again.
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

  /** Starts from the snapshot, if any, and folds page by page, so a long stream is never completely in memory. */
  private async readIn<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
  ): Promise<CachedStream<S, E>> {
    const cached = (await this.snapshots?.open(decider, stream)) ?? CachedStream.empty<S, E>(decider);
    await this.absorbNewer(stream, cached);
    return cached;
  }

  private async absorbNewer<S, E extends DomainEvent>(stream: string, cached: CachedStream<S, E>): Promise<void> {
    for await (const page of pagesOf(this.store, stream, cached.revision + 1)) {
      // Events that this process is writing are already cached. If their append fails, the stream is broken.
      cached.absorb(page.filter(({ revision }) => revision > cached.revision));
    }
  }

  /**
   * Shares one read among all callers that arrive during an earlier read, so that a popular stream is not read once for
   * each of them.
   */
  private catchUp<S, E extends DomainEvent>(
    decider: Decider<never, S, E>,
    stream: string,
    cached: CachedStream<S, E>,
  ): Promise<void> {
    return this.singleFlight.take(cached as AnyCachedStream, async () => {
      await this.durably(stream, cached);
      await this.absorbNewer(stream, cached).catch((error: unknown) => {
        // The cached state was wrong: the stream is read again from its beginning.
        throw cached.broken ? new RetryDecision() : error;
      });
      this.snapshots?.consider(decider, stream, cached);
    });
  }
}

/** Events in one page: about 0.5 MB in memory, and few enough that folding them does not delay other work. */
export const STREAM_PAGE = 1_000;

/**
 * Reads the events of a stream from a revision on, in order and in pages, so that a reader never holds more than one
 * page. `limit` is the total number of events. A read from the beginning passes no `from`.
 */
export async function* pagesOf(
  store: Pick<EventStore, 'read'>,
  stream: string,
  from = 0,
  limit = Infinity,
): AsyncGenerator<readonly Recorded[], void, undefined> {
  let next = from;
  for (let left = limit; left > 0;) {
    const size = Math.min(STREAM_PAGE, left);
    const page = await store.read(stream, { ...(next > 0 ? { from: next } : {}), limit: size });
    if (page.length > 0) yield page;
    if (page.length < size) return;
    left -= page.length;
    next = (page.at(-1)?.revision ?? next) + 1;
  }
}
