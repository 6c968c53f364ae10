import { lruCache } from '@ponte/kernel';

/** Number of streams remembered. Repeated events of others are handled again, which consumers must tolerate anyway. */
const STREAMS = 50_000;

/** The last finished revision of each stream in a group, to detect repeated events: delivery is at least once. */
export class PassedRevisions {
  private readonly last = lruCache<string, number>(STREAMS);

  has(stream: string, revision: number): boolean {
    return revision <= (this.last.get(stream) ?? -1);
  }

  pass(stream: string, revision: number): void {
    if (!this.has(stream, revision)) this.last.set(stream, revision);
  }
}
