import { lruCache } from '@ponte/kernel';
import type { Taken } from './taken';

/** Number of streams remembered. Missing revisions of others are not noticed. */
const STREAMS = 50_000;

/** Messages of one partition that arrived without a gap between their offsets. */
interface Run {
  /** The offset that continues it. */
  next: bigint;
}

/**
 * The last revision received of each stream, to detect missing ones. If offsets of a partition are missing, another
 * member may have got those messages, so the revisions received before do not count.
 */
export class SeenRevisions {
  private readonly last = lruCache<string, { readonly revision: number; readonly run: Run }>(STREAMS);
  private readonly runs = new Map<string, Run>();

  /** Returns the run that a message belongs to. Call it for each message, in the order of its partition. */
  runOf({ topic, partition, message }: Pick<Taken, 'topic' | 'partition' | 'message'>): Run {
    const key = `${topic} ${partition}`;
    const offset = BigInt(message.offset);
    const known = this.runs.get(key);
    const run = known?.next === offset ? known : { next: offset };
    run.next = offset + 1n;
    this.runs.set(key, run);
    return run;
  }

  /** Notes a received revision. True if revisions before it are missing; false if the run has not had the stream yet. */
  skips(run: Run, stream: string, revision: number): boolean {
    const before = this.last.get(stream);
    const seen = before?.run === run ? before.revision : undefined;
    if (seen === undefined || revision > seen) this.last.set(stream, { revision, run });
    return seen !== undefined && revision > seen + 1;
  }
}
