import { LRUCache } from 'lru-cache';

/** Streams that are remembered; of others a repeated event is handled again, which consumers must bear anyway. */
const STREAMS = 50_000;

/** The last revision of each stream that a group has done with, to know what comes twice: delivery is at least once. */
export class PassedRevisions {
  private readonly last = new LRUCache<string, number>({ max: STREAMS });

  has(stream: string, revision: number): boolean {
    return revision <= (this.last.get(stream) ?? -1);
  }

  pass(stream: string, revision: number): void {
    if (!this.has(stream, revision)) this.last.set(stream, revision);
  }

  /** True when revisions before this one were left out; a stream that was not met before tells nothing. */
  skips(stream: string, revision: number): boolean {
    const last = this.last.get(stream);
    return last !== undefined && revision > last + 1;
  }
}
