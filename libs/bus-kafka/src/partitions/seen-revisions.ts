import { lruCache } from '@ponte/kernel';
import type { PartitionOffset } from './partition-offsets';
import type { TakenMessage } from './taken-message';

const STREAMS = 50_000;

/** Messages of one partition that arrived without a gap between their offsets, and whose streams are all remembered. */
export interface Run {
  /** The offset that continues it. */
  next: bigint;
  /** Whether {@link SeenRevisions.runOf} has just begun it. */
  isNew: boolean;
  /** Whether a stream of it was forgotten, so that the next message begins another run. */
  isOver: boolean;
  /** The same for runs without a gap between their offsets. What is still remembered of an earlier one then counts. */
  readonly sequence: object;
  /** The offset of its first message, with what was before it; undefined if unknown. */
  readonly before: Promise<PartitionOffset | undefined>;
}

interface Seen {
  readonly revision: number;
  readonly run: Run;
}

/**
 * How an event continues its stream: it follows the previous one or repeats one, events before it are missing, or it is
 * the first one of the stream in the run.
 */
export type Order = 'follows' | 'missing' | 'first';

/**
 * The last revision received of each stream, to detect missing ones. If offsets of a partition are missing, another
 * member may have got those messages, so the revisions received before do not count.
 *
 * A stream that was forgotten would look like one that was not received before. So forgetting ends the run: the offset
 * before the next one covers what was received, and the log tells the rest.
 */
export class SeenRevisions {
  private readonly last: ReturnType<typeof lruCache<string, Seen>>;
  private readonly runs = new Map<string, Run>();

  constructor(streams = STREAMS) {
    this.last = lruCache<string, Seen>(streams, {
      dispose: ({ run }, _stream, reason) => {
        if (reason === 'evict') run.isOver = true;
      },
    });
  }

  /** Returns the run that a message belongs to. Call it for each message, in the order of its partition. */
  runOf({ topic, partition, message, before }: Pick<TakenMessage, 'topic' | 'partition' | 'message' | 'before'>): Run {
    const key = `${topic} ${partition}`;
    const offset = BigInt(message.offset);
    const known = this.runs.get(key);
    const follows = known?.next === offset ? known : undefined;
    const run =
      follows && !follows.isOver
        ? follows
        : { next: offset, isNew: true, isOver: false, sequence: follows?.sequence ?? {}, before: before() };
    run.next = offset + 1n;
    this.runs.set(key, run);
    return run;
  }

  /**
   * Notes a received revision and tells how it follows the previous ones. Calls `missing` with the first revision that
   * is missing before it, if one is.
   */
  record(run: Run, stream: string, revision: number, missing: (from: number) => void = () => undefined): Order {
    const before = this.last.get(stream);
    const seen = before?.run.sequence === run.sequence ? before.revision : undefined;
    if (seen === undefined || revision > seen) this.last.set(stream, { revision, run });
    if (seen === undefined) return revision === 0 ? 'follows' : 'first';
    if (revision <= seen + 1) return 'follows';
    missing(seen + 1);
    return 'missing';
  }
}
