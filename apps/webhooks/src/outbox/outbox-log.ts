import { LRUCache } from 'lru-cache';
import { EnvelopePublished } from '@ponte/contracts';
import type { EventStore, EventToAppend, Recorded } from '@ponte/event-sourcing';
import { AppendOutcomeUnknown, eventId, streamName, WrongExpectedRevision } from '@ponte/event-sourcing';
import type { Publication } from '../domain/publication/publication';

/** The end of one outbox. `sourcePosition` is that of its last entry, undefined while it is empty. */
interface OutboxEnd {
  readonly revision: number;
  readonly sourcePosition: string | undefined;
}

/** Outboxes whose end is kept in memory. */
const ENDS = 20_000;
/** Another writer can only be one that has lost its lease and has not noticed yet. */
const MAX_CONFLICTS = 5;
const CATEGORY = 'outbox';

/**
 * The outboxes, `outbox-<accountId>`: a log of what each account is told. Publications arrive in the order of the source
 * log, so an entry whose source lies at or before the last entry's is there already, and is left out.
 * The streams grow for ever, so they are never folded: only their ends are known here.
 */
export class OutboxLog {
  private readonly ends = new LRUCache<string, OutboxEnd>({ max: ENDS });

  constructor(private readonly store: EventStore) {}

  /** Appends what is not there yet; consecutive publications of one outbox are one append. Resolves when all are durable. */
  async publish(publications: readonly Publication[]): Promise<void> {
    const byAudience = new Map<string, Publication[]>();
    for (const one of publications) {
      const group = byAudience.get(one.audience);
      if (group) group.push(one);
      else byAudience.set(one.audience, [one]);
    }
    const written = await Promise.allSettled([...byAudience].map(([audience, group]) => this.extend(audience, group)));
    for (const one of written) if (one.status === 'rejected') throw one.reason;
  }

  private async extend(audience: string, group: readonly Publication[]): Promise<void> {
    const stream = streamName(CATEGORY, audience);
    for (let attempt = 1; ; attempt += 1) {
      const end = this.ends.get(stream) ?? await this.findEnd(stream);
      const missing = this.newOf(group, end.sourcePosition);
      const last = missing.at(-1);
      if (!last) return;
      try {
        const { revision } = await this.store.append(stream, end.revision, missing.map(entryOf));
        this.ends.set(stream, { revision, sourcePosition: last.source.position });
        return;
      } catch (error) {
        this.ends.delete(stream);
        if (!(error instanceof WrongExpectedRevision || error instanceof AppendOutcomeUnknown) || attempt >= MAX_CONFLICTS) throw error;
      }
    }
  }

  /** Once each, whatever is there already: a slice of the log that is tried again while its publications wait comes twice in one group. */
  private newOf(group: readonly Publication[], end: string | undefined): Publication[] {
    let last = end;
    return group.filter(({ source: { position } }) => {
      if (!this.isAfter(position, last)) return false;
      last = position;
      return true;
    });
  }

  private isAfter(position: string, last: string | undefined): boolean {
    return last === undefined || this.store.comparePositions(position, last) > 0;
  }

  /** Gallops and then halves: twice log2(n) reads of one event, once per outbox and process. */
  private async findEnd(stream: string): Promise<OutboxEnd> {
    let last = await this.at(stream, 0);
    if (!last) return { revision: -1, sourcePosition: undefined };
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
    const end = { revision: last.revision, sourcePosition: last.data.sourcePosition };
    this.ends.set(stream, end);
    return end;
  }

  private async at(stream: string, revision: number): Promise<Recorded<EnvelopePublished> | undefined> {
    const [entry] = await this.store.read(stream, { from: revision, limit: 1 });
    return entry as Recorded<EnvelopePublished> | undefined;
  }
}

function entryOf({ envelope, source }: Publication): EventToAppend<EnvelopePublished> {
  // Derived from the source event and the audience already.
  const commandId = envelope.eventId;
  const { type, data } = new EnvelopePublished({ envelope, sourcePosition: source.position });
  return {
    id: eventId(commandId, 0), type, version: EnvelopePublished.version, data,
    meta: {
      commandId, index: 0, count: 1, occurredAt: envelope.occurredAt,
      correlationId: source.meta.correlationId, causationId: source.id, actor: 'webhook-outbox',
      ...(source.meta.traceparent === undefined ? {} : { traceparent: source.meta.traceparent }),
    },
  };
}
