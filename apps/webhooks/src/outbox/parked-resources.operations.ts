import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { pause } from '@ponte/concurrency';
import { WebhookEventsReleased } from '@ponte/contracts';
import type { EventStore, ParkedEvents } from '@ponte/event-sourcing';
import { eventId, NO_STREAM, streamName, toAppend } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, EVENT_STORE, IDS, OPERATOR_DUTIES, PARKED_EVENTS, REWINDABLE } from '@ponte/nest';
import type { Rewindable } from '@ponte/nest';
import { OperatorError, releaseByReason } from '@ponte/operator';
import type { OperatorDuty } from '@ponte/operator';
import { ParkedResources } from './parked-resources.service';
import { OUTBOX_READER } from './reader-progress.service';

const CATEGORY = 'webhookRelease';
/** How long an operator waits until the released events are published. */
const PATIENCE_MS = 60_000;

type Subject = Readonly<Record<string, string>>;

/**
 * Releases parked resources for operators (`parked release`). The release is an event of the log: the reader of the
 * outbox publishes the parked events when it reads it, so that they get their place in the outboxes, even after a
 * crash.
 */
@Injectable()
export class ParkedResourceReleases implements OnModuleInit {
  constructor(
    private readonly resources: ParkedResources,
    @Inject(PARKED_EVENTS) private readonly parked: ParkedEvents,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'append'>,
    @Inject(OPERATOR_DUTIES) private readonly duties: Map<string, OperatorDuty>,
    @Inject(REWINDABLE) private readonly rewindable: Rewindable,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const can = ({ group = '' }: Subject): boolean =>
      group === OUTBOX_READER && (this.rewindable.get(OUTBOX_READER)?.holds() ?? false);
    this.duties.set('parked release', { can, carryOut: ({ key = '', gap }, signal) => this.release(key, signal, gap) });
    this.duties.set('parked release-by-reason', {
      can,
      carryOut: async ({ text = '' }, signal) =>
        releaseByReason({
          group: OUTBOX_READER,
          parked: await this.parked.list(OUTBOX_READER),
          text,
          release: async (key, mayRelease) => {
            if (!mayRelease(await this.resources.rows(key))) return false;
            await this.release(key, signal);
            return true;
          },
        }),
    });
  }

  private async release(stream: string, signal: AbortSignal, gap?: string): Promise<string> {
    if (gap !== undefined)
      throw new OperatorError(`${OUTBOX_READER} reads the log, so it has no gaps; repeat the command without --gap`);
    if ((await this.resources.rows(stream)).length === 0)
      return `${OUTBOX_READER} has no parked event of ${stream}: it was released before or never parked`;
    const commandId = this.ids.next();
    const { outcome, forget } = this.resources.outcomeOf(eventId(commandId, 0));
    const ended = new AbortController();
    try {
      await this.append(stream, commandId);
      const released = await Promise.race([outcome, pause(PATIENCE_MS, AbortSignal.any([signal, ended.signal]))]);
      if (!released)
        throw new OperatorError(
          `the release of ${stream} is recorded, but not everything is published yet; "parked list" shows the rest`,
        );
      const { published, failure } = released;
      if (failure !== undefined)
        throw new OperatorError(
          `${published} published; then one failed again (${failure}); it and the events behind it stay parked`,
        );
      return `${published} published in order: ${stream}`;
    } finally {
      ended.abort();
      forget();
    }
  }

  private async append(stream: string, commandId: string): Promise<void> {
    const now = isoTime(this.clock.now());
    const released = new WebhookEventsReleased({ stream, releasedAt: now });
    const context = { commandId, correlationId: commandId, actor: 'operator' };
    await this.store.append(
      streamName(CATEGORY, commandId),
      NO_STREAM,
      toAppend([released], [WebhookEventsReleased], context, now),
    );
  }
}
