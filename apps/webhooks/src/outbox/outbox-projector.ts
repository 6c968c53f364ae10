import type {
  WebhookEndpointDisabled,
  WebhookEndpointEvent,
  WebhookEndpointPinged,
  WebhookEventsReleased,
} from '@ponte/contracts';
import type { EventStore, LogSlice, Recorded } from '@ponte/event-sourcing';
import { categoryOf, idOf, upcaster } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import type { AccountEndpoints } from '../endpoints/account-endpoints.service';
import { endpointDisabled } from '../publication/endpoint-disabled.domain';
import type { Publication, PublicationHistory } from '../publication/publication.domain';
import { NO_HISTORY, historyAfter, publicationsOf } from '../publication/publication.domain';
import type { SourceEvent } from '../publication/published-events.domain';
import { SOURCE_EVENTS, UNPUBLISHED_SOURCE_EVENTS } from '../publication/published-events.domain';
import type { CheckpointTracker } from './reader-progress.service';
import { OUTBOX_READER } from './reader-progress.service';
import type { Publishing } from './publishing';
import type { Scheduling } from './scheduling';
import type { OutboxReader } from '../event-log/outbox-reader.service';
import { HistoryNotRead } from './parked-resources.service';
import type { ParkedResources, Release } from './parked-resources.service';

/**
 * Categories of the streams that are published, of the endpoints, whose pings become deliveries, and of the releases of
 * parked events.
 */
const OUTBOX_SOURCES = [
  'order',
  'deposit',
  'withdrawal',
  'accountRequest',
  'account',
  'transfer',
  'nftTransfer',
  'webhookEndpoint',
  'webhookRelease',
] as const;
const ENDPOINTS: (typeof OUTBOX_SOURCES)[number] = 'webhookEndpoint';

/**
 * The pause before a slice is read at the head of the log, so that events of the same moment are appended to the outbox
 * of their common parent together. It delays no webhook noticeably.
 */
const OUTBOX_LINGER_MS = 4;

type Pinged = Recorded<WebhookEndpointPinged>;
type Released = Recorded<WebhookEventsReleased>;

/** What a part of the log contains for webhooks. */
interface Contents {
  readonly publications: readonly Publication[];
  readonly pings: readonly Pinged[];
}

/**
 * Reads the log and writes the outboxes and the deliveries. All appended events have derived ids, so processing a slice
 * again, after a failure or a crash, produces the same streams. An event that cannot be published is parked with the
 * later events of its stream, so that the others continue.
 */
export class OutboxProjector {
  constructor(
    private readonly histories: PublicationHistories,
    private readonly endpoints: Pick<AccountEndpoints, 'readerSaw'>,
    private readonly outbox: Publishing,
    private readonly scheduling: Scheduling,
    private readonly open: CheckpointTracker,
    private readonly parked: ParkedResources,
    private readonly written: Pick<OutboxReader, 'published'>,
    private readonly retryForever: <T>(work: () => Promise<T>) => Promise<T>,
  ) {}

  /** What it reads, and how. */
  get reader() {
    return {
      name: OUTBOX_READER,
      categories: OUTBOX_SOURCES,
      checkpoints: this.open,
      lingerMs: OUTBOX_LINGER_MS,
      apply: (slice: LogSlice) => this.apply(slice),
    };
  }

  /** Resolves when the deliveries are planned. The checkpoint waits until deliveries and outboxes are durable. */
  async apply(slice: Pick<LogSlice, 'events' | 'position'>): Promise<void> {
    const publications: Publication[] = [];
    const pings: Pinged[] = [];
    const releases: Release[] = [];
    const add = (contents: Contents): void => {
      publications.push(...contents.publications);
      pings.push(...contents.pings);
    };
    for (const event of slice.events) {
      // Before later events are scheduled, so that they find the endpoints as of this event.
      if (categoryOf(event.stream) === ENDPOINTS) this.endpoints.readerSaw(idOf(event.stream), event.revision);
      if (isRelease(event))
        releases.push(await this.parked.release(event, async (parked) => add(await this.released(parked, event))));
      else if (!(await this.parked.holds(event)))
        await this.contents(event).then(add, (error: unknown) => this.parked.park(event, error));
    }
    if (publications.length === 0 && pings.length === 0 && releases.length === 0) return;
    // In parallel: outboxes and deliveries do not depend on each other, and the deliveries of the next slice need not
    // wait until the outboxes of this one are written.
    const published = this.outbox.publish(publications);
    const scheduled = await this.scheduling.schedule(publications, pings);
    const isComplete = published.isComplete && scheduled.isComplete;
    const work = [...published.written, ...scheduled.open];
    // What was left out is read from the log again, and so are the releases.
    const settled = isComplete ? releases.map((release) => this.settle(release, work)) : [];
    this.open.add(slice.position, [...work, ...settled], isComplete);
    await this.outbox.room();
  }

  private async contents(event: Recorded): Promise<Contents> {
    if (isPing(event)) return { publications: [], pings: [event] };
    if (isDisablement(event)) return { publications: endpointDisabled(event), pings: [] };
    const fact = sourceEvent(event);
    return { publications: fact ? publicationsOf(fact, await this.histories.before(fact)) : [], pings: [] };
  }

  /**
   * A parked event is published at the position of its release. Before it was parked, some outboxes may have got it.
   */
  private async released(event: Recorded, { position, data: { releasedAt } }: Released): Promise<Contents> {
    const { publications, pings } = await this.contents(event);
    const moved = publications.map(async (one): Promise<Publication> => {
      const found = await this.written.published(one.audience, one.envelope.eventId, event.position);
      return found ? one : { ...one, publishedAt: releasedAt, source: { ...one.source, position } };
    });
    return { publications: await Promise.all(moved), pings };
  }

  /** Resolves when the parked events are removed, after everything that was published is durable. */
  private settle(release: Release, work: readonly Promise<void>[]): Promise<void> {
    const settled = Promise.all(work).then(() => this.retryForever(() => this.parked.settle(release)));
    settled.catch(() => undefined);
    return settled;
  }
}

const isDisablement = (event: Recorded): event is Recorded<WebhookEndpointDisabled> =>
  (event.type as WebhookEndpointEvent['type']) === 'WebhookEndpointDisabled';

const isPing = (event: Recorded): event is Pinged =>
  (event.type as WebhookEndpointEvent['type']) === 'WebhookEndpointPinged';

const isRelease = (event: Recorded): event is Released =>
  (event.type as WebhookEventsReleased['type']) === 'WebhookEventsReleased';

/** The number of resources whose history is kept in memory. */
const HISTORIES = 20_000;

const unpublished = new Set(UNPUBLISHED_SOURCE_EVENTS.map(({ type }) => type));
const current = upcaster(SOURCE_EVENTS);

/**
 * The event in its current version, or undefined when its type is neither published nor needed for a history. Throws
 * `UnknownEvent` for a type that this build does not know: a later build may publish it, and what is written to the
 * outbox behind it closes its place.
 */
const sourceEvent = (event: Recorded): Recorded<SourceEvent> | undefined =>
  unpublished.has(event.type) ? undefined : current<SourceEvent>(event);

/** What each resource has published, folded from its own stream. */
export class PublicationHistories {
  private readonly histories = lruCache<string, PublicationHistory>(HISTORIES);

  constructor(private readonly store: Pick<EventStore, 'read'>) {}

  /** The history before this event in its stream. The history including the event is cached for the next one. */
  async before(event: Recorded<SourceEvent>): Promise<PublicationHistory> {
    const history = event.revision === 0 ? NO_HISTORY : this.histories.get(event.stream);
    const before = history?.revision === event.revision - 1 ? history : await this.fold(event.stream, event.revision);
    this.histories.set(event.stream, historyAfter(before, event));
    return before;
  }

  /** Used after a restart, or when a slice is processed again. */
  private async fold(stream: string, count: number): Promise<PublicationHistory> {
    const folded = (await this.earlier(stream, count)).reduce((history, recorded) => {
      const fact = sourceEvent(recorded);
      return fact ? historyAfter(history, fact) : { ...history, revision: recorded.revision };
    }, NO_HISTORY);
    if (folded.revision !== count - 1)
      throw new HistoryNotRead(`${stream} ends at revision ${folded.revision}, but revision ${count} was delivered`);
    return folded;
  }

  private async earlier(stream: string, count: number): Promise<readonly Recorded[]> {
    try {
      return await this.store.read(stream, { limit: count });
    } catch (cause) {
      throw new HistoryNotRead(`${stream} cannot be read`, { cause });
    }
  }
}
