import type { OutboxEntry, WebhookEventType, WebhookReplayRequested } from '@ponte/contracts';
import type { Checkpoints, EventStore, LogSlice, Position, Recorded } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { pause } from '@ponte/concurrency';
import type { AccountEndpoints } from '../endpoints/account-endpoints';
import type { Deliveries } from '../dispatch/deliveries';
import { deliveryIdOf } from '../dispatch/deliveries';
import type { Endpoint } from '../endpoints/endpoints.state';
import { wants } from '../endpoints/endpoints.state';
import type { OutboxReader } from '../event-log/outbox-reader';
import { OUTBOX_READER } from '../outbox/outbox-projector';

/** The name of the log reader that carries out replays. */
export const REPLAYS_READER = 'webhook-replays';
export const REPLAY_SOURCES = ['webhookEndpoint'] as const;

const ACTOR = 'webhook-replays';
/** How often the checkpoint of the outboxes is polled, in milliseconds. */
const LOOK_EVERY_MS = 100;

type Requested = Recorded<WebhookReplayRequested>;

export interface ReplayParts {
  readonly store: Pick<EventStore, 'comparePositions'>;
  readonly checkpoints: Pick<Checkpoints, 'load'>;
  readonly outbox: Pick<OutboxReader, 'range'>;
  readonly endpoints: AccountEndpoints;
  readonly deliveries: Deliveries;
  /** When it aborts, a running replay is interrupted. It starts again from its beginning after the next start. */
  readonly stopping: AbortSignal;
}

/**
 * Schedules the deliveries of a replay from the account's outbox, in its order. All ids are derived, so repeating a
 * replay after a crash does not duplicate deliveries that are still pending.
 */
export class Replays {
  constructor(private readonly parts: ReplayParts) {}

  /** Replays of different accounts run in parallel; those of one account run one after the other. */
  async apply({ events }: Pick<LogSlice, 'events'>): Promise<void> {
    const byAccount = new Map<string, Promise<void>>();
    for (const event of events.filter(isReplay)) {
      const before = byAccount.get(event.data.accountId) ?? Promise.resolve();
      byAccount.set(
        event.data.accountId,
        before.then(() => this.replay(event)),
      );
    }
    await Promise.all(byAccount.values());
  }

  private async replay(event: Requested): Promise<void> {
    const { endpoints, outbox, stopping } = this.parts;
    const { accountId, endpointId, from, to, eventTypes } = event.data;
    await this.outboxesReach(event.position);
    const endpoint = await endpoints.find(accountId, endpointId);
    if (!endpoint) return;
    const last = new Map<string, string>();
    for await (const entries of outbox.range(accountId, from, to)) {
      const chosen = entries.filter(({ envelope }) => isChosen(endpoint, eventTypes, envelope.eventType));
      const byResource = new Map<string, OutboxEntry[]>();
      for (const entry of chosen) {
        const { resourceType, resourceId } = entry.envelope;
        const resource = `${resourceType}/${resourceId}`;
        byResource.set(resource, [...(byResource.get(resource) ?? []), entry]);
      }
      await Promise.all(
        [...byResource].map(async ([resource, group]) => {
          for (const entry of group) {
            stopping.throwIfAborted();
            const made = await this.one(event, entry, last.get(resource) ?? null);
            if (made !== undefined) last.set(resource, made);
          }
        }),
      );
    }
  }

  /** Waits until the outboxes contain everything that was published before the replay was requested. */
  private async outboxesReach(position: Position): Promise<void> {
    const { store, checkpoints, stopping } = this.parts;
    for (;;) {
      const reached = await checkpoints.load(OUTBOX_READER);
      if (reached !== undefined && store.comparePositions(reached, position) >= 0) return;
      stopping.throwIfAborted();
      await pause(LOOK_EVERY_MS, stopping);
    }
  }

  /**
   * Returns the id of the delivery that the next event about the resource must wait for, undefined when the receiver
   * already has this event.
   */
  private async one(event: Requested, { envelope }: OutboxEntry, after: string | null): Promise<string | undefined> {
    const { deliveries } = this.parts;
    const { accountId, endpointId, replayId, missedOnly } = event.data;
    const { correlationId, traceparent } = event.meta;
    const origin = { correlationId, causationId: event.id, actor: ACTOR, traceparent };
    const deliveryId = deliveryIdOf(envelope.eventId, endpointId);
    const terms = { endpointId, accountId, after, correlationId, envelope };
    const { delivery } = await deliveries.load(deliveryId);
    switch (delivery.status) {
      case 'pending':
      case 'delivering':
        return deliveryId;
      case 'unscheduled':
        await deliveries.create(deliveryId, 'schedule', origin, (now) => ({
          kind: 'schedule',
          terms: { ...terms, deliveryId },
          now,
        }));
        return deliveryId;
      case 'failed':
        await deliveries.handle(deliveryId, `replay-${replayId}`, origin, (now) => ({ kind: 'replay', after, now }));
        return deliveryId;
      case 'succeeded': {
        if (missedOnly) return undefined;
        const again = derivedId('delivery-replay', deliveryId, replayId);
        await deliveries.create(again, 'schedule', origin, (now) => ({
          kind: 'schedule',
          terms: { ...terms, deliveryId: again, replayOf: deliveryId },
          now,
        }));
        return again;
      }
    }
  }
}

const isReplay = (event: Recorded): event is Requested => event.type === 'WebhookReplayRequested';

const isChosen = (
  endpoint: Endpoint,
  eventTypes: readonly WebhookEventType[] | null,
  type: WebhookEventType,
): boolean =>
  eventTypes === null ? wants(endpoint, type) : endpoint.status === 'enabled' && eventTypes.includes(type);
