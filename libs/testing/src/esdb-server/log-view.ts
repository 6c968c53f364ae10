import type { EventEmitter } from 'node:events';
import type { StreamRules } from './stream-rules';
import type { Entry } from './wire';

/** The log that a view is of, with the events of all streams in one order. */
interface ViewedLog {
  /** Emits `grown` when readers can see more events. */
  readonly events: EventEmitter;
  /** Number of readable events of all streams, including scavenged ones. */
  readonly length: number;
  entry(index: number): Entry | undefined;
  isScavenged(index: number): boolean;
  /** Indices of the entries of a stream, by revision. */
  placesOf(stream: string): readonly number[];
  rulesOf(stream: string): StreamRules;
}

/** The part of the log that a node shows. A lagging follower shows fewer events than were acknowledged. */
export class LogView {
  constructor(
    private readonly log: ViewedLog,
    private readonly shown: () => number,
  ) {}

  /** Emits `grown` when there may be more events. */
  get events(): EventEmitter {
    return this.log.events;
  }

  /** Number of events of all streams including scavenged ones: each lower index is an event or a gap. */
  get length(): number {
    return Math.min(this.log.length, this.shown());
  }

  /** Undefined for a gap and after the end. */
  byIndex(index: number): Entry | undefined {
    return index < this.length && !this.log.isScavenged(index) ? this.log.entry(index) : undefined;
  }

  /** Revision of the last event of a stream, -1 for an empty stream. */
  head(stream: string): number {
    const places = this.log.placesOf(stream);
    let head = places.length - 1;
    while (head >= 0 && (places[head] as number) >= this.length) head -= 1;
    return head;
  }

  /** The first revision that a read returns; after the head when it returns none. */
  first(stream: string, nowMs: number): number {
    const { truncateBefore, maxCount, maxAgeMs } = this.log.rulesOf(stream);
    const head = this.head(stream);
    let first = Math.min(head + 1, Math.max(0, truncateBefore, head + 1 - maxCount));
    while (first <= head && (this.at(stream, first)?.createdMs ?? 0) < nowMs - maxAgeMs) first += 1;
    return first;
  }

  isTombstoned(stream: string): boolean {
    return this.log.rulesOf(stream).isTombstoned;
  }

  at(stream: string, revision: number): Entry | undefined {
    const index = this.log.placesOf(stream)[revision];
    return index === undefined ? undefined : this.byIndex(index);
  }

  /** Index of the first entry at or after a position. */
  indexFrom(position: bigint): number {
    let [low, high] = [0, this.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (BigInt((this.log.entry(middle) as Entry).position) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** False for a position between two records. Positions after the end are not checked, as in EventStoreDB. */
  isOfThisLog(position: bigint): boolean {
    const entry = this.log.entry(this.indexFrom(position));
    return position === 0n || this.indexFrom(position) >= this.length || BigInt(entry?.position ?? -1) === position;
  }
}
