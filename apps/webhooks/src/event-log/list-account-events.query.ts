import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { ListAccountEvents } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { addSeconds, isoTime, refuse } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import { OutboxReader } from './outbox-reader.service';

export class ListAccountEventsQuery extends RequestQuery<typeof ListAccountEvents> {}

/** Reads the event log of an account. Events older than 90 days (business time) are never returned. */
@QueryHandler(ListAccountEventsQuery)
export class ListAccountEventsHandler implements IQueryHandler<ListAccountEventsQuery> {
  constructor(
    private readonly outbox: OutboxReader,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, after, limit },
  }: ListAccountEventsQuery): Promise<ReplyOf<typeof ListAccountEvents>> {
    const oldest = addSeconds(isoTime(this.clock.now()), -LOG_RETENTION_SECONDS);
    if (after === 'end') return { expired: false, events: [], next: await this.outbox.end(accountId), more: false };
    if (after === null) return this.page(accountId, (await this.outbox.firstSince(accountId, oldest)) - 1, limit);
    const page = await this.page(accountId, after, limit);
    if (page.events.length === 0) await this.refuseBeyondEnd(accountId, after);
    // A partner that has read everything up to the first kept event has missed nothing.
    if (!page.events[0] || page.events[0].envelope.occurredAt >= oldest) return page;
    const firstKept = await this.outbox.firstSince(accountId, oldest);
    return after + 1 < firstKept ? { expired: true, firstKept } : page;
  }

  /** A position beyond the end is from another account or environment. Events would be skipped when it is reached. */
  private async refuseBeyondEnd(accountId: string, after: number): Promise<void> {
    if (after === 0) return;
    // Looks for one entry first, because a client that polls at the end does this all the time.
    const { events } = await this.outbox.after(accountId, after - 1, 1);
    if (events.length > 0) return;
    const end = await this.outbox.end(accountId);
    if (after > end) refuse('invalid-cursor', `must be at most ${end}, the last position of the event log`, 'after');
  }

  private async page(accountId: string, after: number, limit: number) {
    const { events, more } = await this.outbox.after(accountId, after, limit);
    return { expired: false as const, events, next: events.at(-1)?.number ?? after, more };
  }
}
