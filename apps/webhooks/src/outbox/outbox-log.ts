import { EnvelopePublished } from '@ponte/contracts';
import type { EventStore, EventToAppend, Recorded } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, eventId, streamName, upcaster, WrongExpectedRevision } from '@ponte/event-sourcing';
import { derivedId, lruCache } from '@ponte/kernel';
import type { Publication } from '../publication/publication.domain';
import { byAudience } from '../publication/publication.domain';

/** The end of one outbox. `sourcePosition` is that of its last entry, undefined while the outbox is empty. */
interface OutboxEnd {
  readonly revision: number;
  readonly count: number;
  readonly sourcePosition: string | undefined;
}

/** The number of outboxes whose end is kept in memory. */
const ENDS = 20_000;
/** The most retries of an append. The only possible other writer is one that lost its lease and has not noticed yet. */
const MAX_CONFLICTS = 5;
const CATEGORY = 'outbox';
/** The most entries per event, about 30 kB: an event is read whole and has to fit into a message. */
const MAX_ENTRIES = 32;
/** EventStoreDB accepts 1,048,576 bytes in one append by default. The rest is for what {@link bytesOf} leaves out. */
const MAX_BYTES = 768 * 1_024;
/** The metadata of an event, and the fields of an entry besides its envelope: more than they usually have. */
const BYTES_BESIDES_ENVELOPE = 768;

const current = upcaster([EnvelopePublished]);

/**
 * Writes the outboxes, `outbox-<accountId>`: the webhook events of each account. Publications arrive in the order of
 * the source log, so one whose source is at or before that of the last entry has already been written and is left out.
 * The streams grow forever, so they are never folded: only their ends are read.
 */
export class OutboxLog {
  private readonly ends = lruCache<string, OutboxEnd>(ENDS);

  constructor(private readonly store: EventStore) {}

  /**
   * Appends missing publications, with as few appends per outbox as the event store accepts. Resolves when all are
   * durable.
   */
  async publish(publications: readonly Publication[]): Promise<void> {
    const written = await Promise.allSettled(
      [...byAudience(publications)].map(([audience, group]) => this.extend(audience, group)),
    );
    for (const one of written) if (one.status === 'rejected') throw one.reason;
  }

  private async extend(audience: string, group: readonly Publication[]): Promise<void> {
    const stream = streamName(CATEGORY, audience);
    for (let attempt = 1; ; attempt += 1) {
      const end = this.ends.get(stream) ?? (await this.findEnd(stream));
      const missing = fitting(this.newOf(group, end.sourcePosition));
      const last = missing.at(-1);
      if (!last) return;
      try {
        const { revision } = await this.store.append(stream, end.revision, eventsOf(missing, end.count));
        this.ends.set(stream, { revision, count: end.count + missing.length, sourcePosition: last.source.position });
        attempt = 0;
      } catch (error) {
        this.ends.delete(stream);
        if (
          !(error instanceof WrongExpectedRevision || error instanceof AppendOutcomeUnknown) ||
          attempt >= MAX_CONFLICTS
        )
          throw error;
      }
    }
  }

  /**
   * The publications after `end`, each once: a slice that is retried while its publications wait is twice in one group.
   */
  private newOf(group: readonly Publication[], end: string | undefined): Publication[] {
    let last = end;
    let ofLast = new Set<string>();
    return group.filter(({ source: { position }, envelope: { eventId: id } }) => {
      if (this.isAfter(position, last)) {
        last = position;
        ofLast = new Set([id]);
        return true;
      }
      // One event of the log may be published as several event types, which are always in one group.
      if (position !== last || ofLast.size === 0 || ofLast.has(id)) return false;
      ofLast.add(id);
      return true;
    });
  }

  private isAfter(position: string, last: string | undefined): boolean {
    return last === undefined || this.store.comparePositions(position, last) > 0;
  }

  /** Finds the end by exponential and then binary search: 2·log2(n) reads of one event, once per outbox and process. */
  private async findEnd(stream: string): Promise<OutboxEnd> {
    let last = await this.at(stream, 0);
    if (!last) return { revision: -1, count: 0, sourcePosition: undefined };
    let beyond = 1;
    for (let entry = await this.at(stream, beyond); entry; entry = await this.at(stream, beyond)) {
      last = entry;
      beyond = beyond * 2 + 1;
    }
    while (beyond - last.revision > 1) {
      const middle = Math.floor((last.revision + beyond) / 2);
      const entry: Recorded<EnvelopePublished> | undefined = await this.at(stream, middle);
      if (entry) last = entry;
      else beyond = middle;
    }
    const {
      revision,
      data: { first, entries, sourcePosition },
    } = last;
    const end = { revision, count: (first ?? revision + 1) - 1 + entries.length, sourcePosition };
    this.ends.set(stream, end);
    return end;
  }

  private async at(stream: string, revision: number): Promise<Recorded<EnvelopePublished> | undefined> {
    const [entry] = await this.store.read(stream, { from: revision, limit: 1 });
    return entry && current<EnvelopePublished>(entry);
  }
}

/** The first publications, as many as fit into one append. Those of one event of the log stay together. */
function fitting(publications: readonly Publication[]): readonly Publication[] {
  let [bytes, ofSameEvent] = [0, 0];
  for (const [at, one] of publications.entries()) {
    if (one.source.position !== publications[at - 1]?.source.position) ofSameEvent = at;
    bytes += bytesOf(one);
    if (bytes > MAX_BYTES && ofSameEvent > 0) return publications.slice(0, ofSameEvent);
  }
  return publications;
}

const bytesOf = ({ envelope }: Publication): number =>
  Buffer.byteLength(JSON.stringify(envelope)) + BYTES_BESIDES_ENVELOPE;

/** Groups consecutive publications of the same trace into events, so that each event belongs to one trace. */
function eventsOf(publications: readonly Publication[], before: number): EventToAppend<EnvelopePublished>[] {
  const events: EventToAppend<EnvelopePublished>[] = [];
  for (let at = 0; at < publications.length;) {
    const { traceparent } = (publications[at] as Publication).source.meta;
    let end = at + 1;
    while (
      end < publications.length &&
      end - at < MAX_ENTRIES &&
      publications[end]?.source.meta.traceparent === traceparent
    )
      end += 1;
    events.push(eventOf(publications.slice(at, end), before + at + 1));
    at = end;
  }
  return events;
}

function eventOf(publications: readonly Publication[], first: number): EventToAppend<EnvelopePublished> {
  const [{ envelope, source }, last] = [publications[0] as Publication, publications.at(-1) as Publication];
  // Each envelope id is derived from its source event and audience. The command id is derived from the first and the
  // last one, so that two appends that begin with the same envelope have different ids.
  const commandId =
    publications.length === 1 ? envelope.eventId : derivedId('outbox-entries', envelope.eventId, last.envelope.eventId);
  const entries = publications.map((one) => ({
    envelope: one.envelope,
    sourcePosition: one.source.position,
    correlationId: one.source.meta.correlationId,
    ...(one.publishedAt === undefined ? {} : { publishedAt: one.publishedAt }),
  }));
  const { type, data } = new EnvelopePublished({ first, entries, sourcePosition: last.source.position });
  return {
    id: eventId(commandId, 0),
    type,
    version: EnvelopePublished.version,
    data,
    meta: {
      commandId,
      index: 0,
      count: 1,
      occurredAt: last.publishedAt ?? last.envelope.occurredAt,
      correlationId: source.meta.correlationId,
      causationId: source.id,
      actor: 'webhook-outbox',
      ...(source.meta.traceparent === undefined ? {} : { traceparent: source.meta.traceparent }),
    },
  };
}
