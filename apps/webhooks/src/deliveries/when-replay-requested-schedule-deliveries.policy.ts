import { setMaxListeners } from 'node:events';
import type { OutboxEntry, WebhookEventType, WebhookReplayRequested } from '@ponte/contracts';
import type { Checkpoints, EventStore, LogSlice, Position, Recorded } from '@ponte/event-sourcing';
import { KeyedMutex } from '@ponte/event-sourcing';
import { addSeconds, derivedId } from '@ponte/kernel';
import { pause, retry, Semaphore } from '@ponte/concurrency';
import type { AccountEndpoints } from '../endpoints/account-endpoints.service';
import { receivesEvent } from '../endpoints/account-endpoints.service';
import type { Deliveries } from '../dispatch/deliveries.service';
import { deliveryIdOf } from '../dispatch/deliveries.service';
import { LOG_RETENTION_SECONDS } from '../endpoints/endpoint-changes.domain';
import type { Endpoint } from '../endpoints/endpoints.state';
import type { OutboxReader } from '../event-log/outbox-reader.service';
import { OUTBOX_READER } from '../outbox/reader-progress.service';
import type { CheckpointTracker } from '../outbox/reader-progress.service';

/** The name of the log reader that executes replays. */
export const REPLAYS_READER = 'webhook-replays';
export const REPLAY_SOURCES = ['webhookEndpoint'] as const;

const ACTOR = 'webhook-replays';
/** How often the checkpoint of the outboxes is polled, in milliseconds. */
const POLL_INTERVAL_MS = 100;
/** After how many polls the account's own outbox is read. */
const POLLS_PER_READ = 20;
/** Replays that run at a time. Those of other accounts wait in the order of their requests. */
const MAX_RUNNING = 8;

type Requested = Recorded<WebhookReplayRequested>;

export interface ReplayParts {
  readonly store: Pick<EventStore, 'comparePositions'>;
  readonly checkpoints: Pick<Checkpoints, 'load'>;
  readonly progress: CheckpointTracker;
  readonly outbox: Pick<OutboxReader, 'range' | 'reaches'>;
  readonly endpoints: AccountEndpoints;
  readonly deliveries: Deliveries;
  /** When it aborts, a running replay is interrupted. It starts again from its beginning after the next start. */
  readonly stopping: AbortSignal;
  /** Called when a replay failed and will be repeated. */
  readonly failed: (event: Requested, error: unknown) => void;
}

/**
 * Schedules the deliveries of a replay from the account's outbox, in its order. All ids are derived, so repeating a
 * replay after a crash does not duplicate deliveries that are still pending.
 */
export class Replays {
  /** Replays that have not ended, by id. */
  private readonly open = new Map<string, Promise<void>>();
  private readonly byAccount = new KeyedMutex();
  private readonly running = new Semaphore(MAX_RUNNING);
  private looking: Promise<Position | undefined> | undefined;

  constructor(private readonly parts: ReplayParts) {
    // Every waiting replay listens to this signal, so Node's warning about a listener leak would be wrong.
    setMaxListeners(0, parts.stopping);
  }

  /**
   * Starts the replays. Those of one account run one after the other; they do not delay those of other accounts. The
   * checkpoint waits for all of them.
   */
  async apply({ events, position }: Pick<LogSlice, 'events' | 'position'>): Promise<void> {
    this.parts.progress.add(
      position,
      events.filter(isReplay).map((event) => this.begin(event)),
    );
  }

  /** Resolves when no replay is running. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.open.values());
  }

  /**
   * Repeats the replay until it succeeds; rejects only when this process stops. A replay that is read again while it is
   * running is not started twice.
   */
  private begin(event: Requested): Promise<void> {
    const { stopping, failed } = this.parts;
    const { accountId, replayId } = event.data;
    const known = this.open.get(replayId);
    if (known) return known;
    const replayWithRetries = () =>
      retry(() => this.replay(event), { signal: stopping, onRetry: (error) => failed(event, error) });
    const begun = this.byAccount.take(accountId, replayWithRetries).finally(() => this.open.delete(replayId));
    begun.catch(() => undefined);
    this.open.set(replayId, begun);
    return begun;
  }

  private async replay(event: Requested): Promise<void> {
    await this.outboxReaches(event.data.accountId, event.position);
    await this.running.pass(() => this.scheduleAll(event));
  }

  private async scheduleAll(event: Requested): Promise<void> {
    const { endpoints, outbox, deliveries, stopping } = this.parts;
    const { accountId, endpointId, to, eventTypes } = event.data;
    // A reader that begins far back in the log also finds requests for events that the event log no longer has.
    const kept = addSeconds(deliveries.now(), -LOG_RETENTION_SECONDS);
    const from = event.data.from < kept ? kept : event.data.from;
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

  /**
   * Waits until the outbox of the account contains everything that was published before the replay was requested. The
   * checkpoint shows that for all outboxes, and a later entry for one of them: an outbox of another account that cannot
   * be written holds the checkpoint.
   */
  private async outboxReaches(accountId: string, position: Position): Promise<void> {
    const { store, outbox, stopping } = this.parts;
    for (let attempt = 1; ; attempt += 1) {
      const reached = await this.outboxCheckpoint();
      if (reached !== undefined && store.comparePositions(reached, position) >= 0) return;
      if (attempt % POLLS_PER_READ === 0 && (await outbox.reaches(accountId, position))) return;
      stopping.throwIfAborted();
      await pause(POLL_INTERVAL_MS, stopping);
    }
  }

  /** The checkpoint of the outboxes. Replays that look at the same time read it once. */
  private outboxCheckpoint(): Promise<Position | undefined> {
    this.looking ??= this.parts.checkpoints.load(OUTBOX_READER).finally(() => {
      this.looking = undefined;
    });
    return this.looking;
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
  eventTypes === null ? receivesEvent(endpoint, type) : endpoint.status === 'enabled' && eventTypes.includes(type);
