import type { Recorded } from '@ponte/event-sourcing';
import { Semaphore } from '@ponte/concurrency';
import { lruCache } from '@ponte/kernel';
import type { PublishedLog } from './published-log';

/** How many events of a stream are read at once. */
const PAGE = 100;
/** Number of remembered ids, about 10 MB. A backlog has events of many streams in turns, and most streams are short. */
const IDS = 100_000;
/** The page of a stream takes as much memory as this many ids, besides them. */
const PAGE_ITSELF = 4;
/** The log answers decisions too, so a long backlog must not take all of its readers. */
const READS_AT_ONCE = 4;

/**
 * Tells of many events whether the log has them. After a restore, other events can have the positions and revisions of
 * those that it undid, so only the ids count. They are read by the page: the log only grows, so what was read stays
 * true, and an event that is not in a page is looked for again.
 */
export class LoggedIds {
  /** Of each stream, ids by revision. */
  private readonly pages = lruCache<string, ReadonlyMap<number, string>>(IDS, {
    sizeOf: ({ size }) => size + PAGE_ITSELF,
  });
  private readonly reads = new Semaphore(READS_AT_ONCE);

  constructor(private readonly log: Pick<PublishedLog, 'read'>) {}

  async has({ stream, revision, id }: Pick<Recorded, 'stream' | 'revision' | 'id'>): Promise<boolean> {
    const known = this.pages.get(stream)?.get(revision);
    if (known !== undefined) return known === id;
    const events = await this.reads.pass(() => this.log.read(stream, { from: revision, limit: PAGE }));
    const page = new Map(events.map((event) => [event.revision, event.id]));
    if (page.size > 0) this.pages.set(stream, page);
    return page.get(revision) === id;
  }
}
