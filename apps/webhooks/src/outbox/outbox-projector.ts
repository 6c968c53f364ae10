import { lruCache } from '@ponte/kernel';
import type { WebhookEndpointDisabled, WebhookEndpointEvent, WebhookEndpointPinged } from '@ponte/contracts';
import type { LogSlice, Recorded, EventStore } from '@ponte/event-sourcing';
import { categoryOf, idOf, upcaster } from '@ponte/event-sourcing';
import type { AccountEndpoints } from '../endpoints/account-endpoints';
import { endpointDisabled } from '../publication/endpoint-disabled.domain';
import type { Publication, PublicationHistory } from '../publication/publication.domain';
import type { SourceEvent } from '../publication/published-events.domain';
import { SOURCE_EVENTS } from '../publication/published-events.domain';
import { NO_HISTORY, historyAfter, publicationsOf } from '../publication/publication.domain';
import type { CheckpointTracker } from './reader-progress';
import type { Publishing } from './publishing';
import type { Scheduling } from './scheduling';

/** Categories of the streams that are published, and of the endpoints, whose pings become deliveries. */
export const OUTBOX_SOURCES = [
  'order',
  'deposit',
  'withdrawal',
  'accountRequest',
  'account',
  'transfer',
  'nftTransfer',
  'webhookEndpoint',
] as const;
const ENDPOINTS: (typeof OUTBOX_SOURCES)[number] = 'webhookEndpoint';

/** The name of the projector and of its checkpoint. */
export const OUTBOX_READER = 'webhook-outbox';

/**
 * The pause before a slice is read at the head of the log, so that events of the same moment are appended to the outbox
 * of their common parent together. It delays no webhook noticeably.
 */
const OUTBOX_LINGER_MS = 4;

type Pinged = Recorded<WebhookEndpointPinged>;

/**
 * Reads the log and writes the outboxes and the deliveries. All appended events have derived ids, so processing a slice
 * again, after a failure or a crash, produces the same streams.
 */
export class OutboxProjector {
  constructor(
    private readonly histories: PublicationHistories,
    private readonly endpoints: Pick<AccountEndpoints, 'readerSaw'>,
    private readonly outbox: Publishing,
    private readonly scheduling: Scheduling,
    private readonly open: CheckpointTracker,
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
    for (const event of slice.events) {
      // Before later events are scheduled, so that they find the endpoints as of this event.
      if (categoryOf(event.stream) === ENDPOINTS) this.endpoints.readerSaw(idOf(event.stream), event.revision);
      if (isPing(event)) pings.push(event);
      else if (isDisablement(event)) publications.push(...endpointDisabled(event));
      else publications.push(...(await this.publications(event)));
    }
    if (publications.length === 0 && pings.length === 0) return;
    // In parallel: outboxes and deliveries do not depend on each other, and the deliveries of the next slice need not
    // wait until the outboxes of this one are written.
    const published = this.outbox.publish(publications);
    const scheduled = await this.scheduling.schedule(publications, pings);
    const isComplete = published.isComplete && scheduled.isComplete;
    this.open.add(slice.position, [...published.written, ...scheduled.open], isComplete);
    await this.outbox.room();
  }

  /** An event of a type unknown to this build is not published; a known type in a later version stops the projector. */
  private async publications(event: Recorded): Promise<Publication[]> {
    const fact = sourceEvent(event);
    return fact ? publicationsOf(fact, await this.histories.before(fact)) : [];
  }
}

const isDisablement = (event: Recorded): event is Recorded<WebhookEndpointDisabled> =>
  (event.type as WebhookEndpointEvent['type']) === 'WebhookEndpointDisabled';

const isPing = (event: Recorded): event is Pinged =>
  (event.type as WebhookEndpointEvent['type']) === 'WebhookEndpointPinged';

/** The number of resources whose history is kept in memory. */
const HISTORIES = 20_000;

const known = new Set(SOURCE_EVENTS.map(({ type }) => type));
const current = upcaster(SOURCE_EVENTS);

/**
 * The event in its current version, or undefined when this build neither publishes its type nor needs it for a history.
 */
export const sourceEvent = (event: Recorded): Recorded<SourceEvent> | undefined =>
  known.has(event.type) ? current<SourceEvent>(event) : undefined;

/** What each resource has published, folded from its own stream. */
export class PublicationHistories {
  private readonly histories = lruCache<string, PublicationHistory>(HISTORIES);

  constructor(private readonly store: EventStore) {}

  /** The history before this event in its stream. The history including the event is cached for the next one. */
  async before(event: Recorded<SourceEvent>): Promise<PublicationHistory> {
    const held = event.revision === 0 ? NO_HISTORY : this.histories.get(event.stream);
    const before = held?.revision === event.revision - 1 ? held : await this.fold(event.stream, event.revision);
    this.histories.set(event.stream, historyAfter(before, event));
    return before;
  }

  /** Used after a restart, or when a slice is processed again. */
  private async fold(stream: string, count: number): Promise<PublicationHistory> {
    const earlier = await this.store.read(stream, { limit: count });
    const folded = earlier.reduce((history, recorded) => {
      const fact = sourceEvent(recorded);
      return fact ? historyAfter(history, fact) : { ...history, revision: recorded.revision };
    }, NO_HISTORY);
    if (folded.revision !== count - 1)
      throw new Error(`${stream} ends at revision ${folded.revision}, but revision ${count} was delivered`);
    return folded;
  }
}
