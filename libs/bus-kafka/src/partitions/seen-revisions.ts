import { lruCache } from '@ponte/kernel';
import type { Place } from './places';
import type { Taken } from './taken';

/** Number of streams remembered. */
const STREAMS = 50_000;

/** Messages of one partition that arrived without a gap between their offsets. */
export interface Run {
  /** The offset that continues it. */
  next: bigint;
  /** Whether {@link SeenRevisions.runOf} has just begun it. */
  isNew: boolean;
  /** The place before its first message; undefined if unknown. */
  readonly before: Promise<Place | undefined>;
}

/**
 * How an event continues its stream: it follows the previous one or repeats one, events before it are missing, or it is
 * the first one of the stream in the run.
 */
export type Order = 'follows' | 'missing' | 'first';

/**
 * The last revision received of each stream, to detect missing ones. If offsets of a partition are missing, another
 * member may have got those messages, so the revisions received before do not count.
 */
export class SeenRevisions {
  private readonly last = lruCache<string, { readonly revision: number; readonly run: Run }>(STREAMS);
  private readonly runs = new Map<string, Run>();

  /** Returns the run that a message belongs to. Call it for each message, in the order of its partition. */
  runOf({ topic, partition, message, before }: Pick<Taken, 'topic' | 'partition' | 'message' | 'before'>): Run {
    const key = `${topic} ${partition}`;
    const offset = BigInt(message.offset);
    const known = this.runs.get(key);
    const run = known?.next === offset ? known : { next: offset, isNew: true, before: before() };
    run.next = offset + 1n;
    this.runs.set(key, run);
    return run;
  }

  /** Notes a received revision and tells how it follows the previous ones. */
  note(run: Run, stream: string, revision: number): Order {
    const before = this.last.get(stream);
    const seen = before?.run === run ? before.revision : undefined;
    if (seen === undefined || revision > seen) this.last.set(stream, { revision, run });
    if (seen === undefined) return revision === 0 ? 'follows' : 'first';
    return revision > seen + 1 ? 'missing' : 'follows';
  }
}
