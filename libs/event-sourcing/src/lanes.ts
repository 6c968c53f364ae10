import type { Decider } from './decider';
import type { DomainEvent } from './event';
import type { EventStore } from './event-store';
import type { InFlight } from './in-flight';
import { Lane } from './lane';
import { Looks } from './looks';
import { RecentMap } from './recent-map';
import type { SnapshotKeeper } from './snapshot-keeper';
import { pagesOf } from './stream-pages';
import { upcaster } from './upcasting';

/** Lost the race or lost the lane: decide again on what the log says now. */
export class Again extends Error {}

/** A lane of any aggregate; the cache does not care whose. */
type AnyLane = Pick<Lane<unknown, DomainEvent>, 'settled' | 'broken'>;

/** The lanes that this process holds. */
export class Lanes {
  /** Lanes, and the readings that will bring one. */
  private readonly kept: RecentMap<string, AnyLane | Promise<AnyLane>>;
  private readonly looks = new Looks<AnyLane>();

  constructor(private readonly store: EventStore, private readonly inFlight: InFlight, capacity: number, private readonly snapshots?: SnapshotKeeper) {
    this.kept = new RecentMap(capacity);
  }

  /** The lane that is here and needs no look at the log; nearly always so, where nobody else writes. */
  ready<S, E extends DomainEvent>(stream: string): Lane<S, E> | undefined {
    return this.store.soleWriter ? this.held<S, E>(stream) : undefined;
  }

  /** The lane that is here, whether or not others have written since. */
  held<S, E extends DomainEvent>(stream: string): Lane<S, E> | undefined {
    const held = this.kept.get(stream);
    return held === undefined || held instanceof Promise || held.broken ? undefined : held as Lane<S, E>;
  }

  /** What this process holds of a stream, brought up to the log when others write to it too. */
  async current<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): Promise<Lane<S, E>> {
    const held = this.kept.get(stream) as Lane<S, E> | Promise<Lane<S, E>> | undefined;
    if (held) {
      const lane = await held;
      if (!lane.broken) {
        if (!this.store.soleWriter) await this.catchUp(decider, stream, lane);
        return lane;
      }
      this.forget(stream, lane);
    }
    const opened = this.kept.get(stream) as Lane<S, E> | Promise<Lane<S, E>> | undefined;
    return opened ?? this.open(decider, stream);
  }

  /** Takes a stream for new, when nothing is known of it here. */
  begin<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): void {
    if (this.kept.peek(stream) !== undefined || this.inFlight.landed(stream)) return;
    this.kept.set(stream, Lane.from<S, E>(decider, []) as AnyLane);
  }

  isCurrent(stream: string, lane: AnyLane): boolean {
    return !lane.broken && this.kept.peek(stream) === lane;
  }

  forget(stream: string, lane: AnyLane): void {
    lane.broken = true;
    if (this.kept.peek(stream) === lane) this.kept.delete(stream);
  }

  /** An answer from a state that is still being written waits; if the write fails the command starts over. */
  async durably(stream: string, lane: AnyLane): Promise<void> {
    try {
      await lane.settled();
    } catch {
      this.forget(stream, lane);
      throw new Again();
    }
  }

  private open<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): Promise<Lane<S, E>> {
    // A lane that failed or was evicted may have left appends under way. They end first: else one of them could land between
    // two decisions of the new lane, at the revision that the second takes for the first's.
    const landed = this.inFlight.landed(stream);
    const reading = landed ? landed.then(() => this.readIn(decider, stream)) : this.readIn(decider, stream);
    const opening = reading.then((lane) => {
      // Unless it was evicted meanwhile: then it is nobody's, and whoever waits for it starts over.
      if (this.kept.peek(stream) === (opening as unknown)) this.kept.set(stream, lane as AnyLane);
      this.snapshots?.consider(decider, stream, lane);
      return lane;
    });
    this.kept.set(stream, opening as Promise<AnyLane>);
    opening.catch(() => { if (this.kept.peek(stream) === (opening as unknown)) this.kept.delete(stream); });
    return opening;
  }

  /** From the snapshot, if there is one, and folded page by page: a long stream is never in memory as a whole. */
  private async readIn<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string): Promise<Lane<S, E>> {
    const lane = (await this.snapshots?.open(decider, stream)) ?? Lane.from<S, E>(decider, []);
    await this.absorbNewer(decider, stream, lane);
    return lane;
  }

  private async absorbNewer<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string, lane: Lane<S, E>): Promise<void> {
    for await (const page of pagesOf(this.store, stream, lane.revision + 1)) {
      // What this process began to write meanwhile is in the lane already. Should that append fail, the lane breaks with all that is in it.
      lane.absorb(page.filter(({ revision }) => revision > lane.revision).map((event) => upcaster(decider.events)<E>(event)));
    }
  }

  /** Read once for all who ask while an earlier reading is under way: a stream that many want at once is not read once for each of them. */
  private catchUp<S, E extends DomainEvent>(decider: Decider<never, S, E>, stream: string, lane: Lane<S, E>): Promise<void> {
    return this.looks.take(lane as AnyLane, async () => {
      await this.durably(stream, lane);
      await this.absorbNewer(decider, stream, lane);
      this.snapshots?.consider(decider, stream, lane);
    });
  }
}
