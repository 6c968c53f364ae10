import type { Checkpoints, EventStore, Lease, LogSlice, Recorded, EngineLogger } from '@ponte/event-sourcing';
import type { Projector } from '@ponte/read-models';
import { runProjector } from '@ponte/read-models';
import { openClient } from '../client';
import { CONTENT_TYPE, toEnvelope } from '../envelope';
import { assertNamePart, names } from '../names';
import type { RelayObserver } from '../observer';
import type { KafkaConnection, TopicSettings } from '../options';
import { TOPICS } from '../options';
import { Sender } from '../sender';
import { traceHeaders } from '../trace-headers';
import { administer, ensureTopics } from '../partitions/topics';

/** A message published in addition to an event, on its own topic and with its own key; null for none. */
interface RelayNotices {
  readonly topic: string;
  /** Pure. If it throws, the relay stops at this event and retries; no event is skipped. */
  readonly of: (event: Recorded) => { readonly key: string; readonly event: object } | null;
}

/** The publication of one event, for tracing. */
interface Publishing {
  /** Published with the event instead of its own traceparent. */
  readonly traceparent: string;
  /** Called once, when the brokers have acknowledged the event or the time is up. */
  end(error?: unknown): void;
}

export interface RelayOptions {
  readonly connection: KafkaConnection;
  /** The service whose events are published, and the categories of streams that it owns. */
  readonly service: string;
  readonly categories: readonly string[];
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly lease: Lease;
  /** The system's clock: epoch milliseconds. */
  readonly systemNow: () => number;
  readonly logger: EngineLogger;
  readonly namespace?: string;
  readonly topics?: Partial<TopicSettings>;
  readonly observer?: RelayObserver;
  /** Called for each event before it is sent; returns undefined for an event without a trace. */
  readonly publishing?: (event: Recorded) => Publishing | undefined;
  readonly notices?: RelayNotices;
}

/** The largest number of events in one produce request. */
const BATCH = 500;
/**
 * Pause between two slices at the head of the log, in milliseconds, so that under load a produce request contains the
 * events of several appends. The first event after an idle time is sent at once.
 */
const LINGER_MS = 50;
/** Time limit of a slice, in milliseconds. A slice that was not acknowledged by then is logged and sent again. */
const SEND_MS = 30_000;
const CLOSE_MS = 5_000;

/** The name of a relay's lease and checkpoint. Moving that checkpoint back makes it publish events again. */
export const relayName = (service: string): string => `relay-${service}`;

/**
 * Publishes a service's events from the log to `<service>.events`, in order per stream and at least once. A lease
 * ensures that one process of the service does it. The checkpoint is saved after the brokers' acknowledgement, and only
 * by the holder of the lease, so a former holder that is still running can repeat events but never lose one.
 */
export function createRelay(options: RelayOptions): Projector {
  const { connection, logger, systemNow, service, namespace, store, checkpoints, lease, categories } = options;
  const client = openClient(connection, `ponte-relay-${assertNamePart(service)}`, logger);
  // A deleted topic is soon given up, so that the next attempt at the slice creates it again.
  const sender = new Sender({ client, logger, systemNow, idempotent: true, mayVanish: () => true });
  const settings = { ...TOPICS, ...options.topics };
  const topic = names(namespace).events(service);
  const { notices } = options;
  const noticesTopic = notices && `${namespace ?? ''}${assertNamePart(notices.topic)}`;
  const required = [topic, noticesTopic].flatMap((name) =>
    name === undefined
      ? []
      : [{ topic: name, partitions: settings.partitions, retentionMs: settings.eventsRetentionMs }],
  );
  let there = false;

  const apply = async ({ events, position, caughtUp }: LogSlice): Promise<void> => {
    if (!there) await administer(client, (admin) => ensureTopics(admin, required, settings));
    // True again when the slice is published: after a failure, a topic may have been deleted.
    there = false;
    const until = systemNow() + SEND_MS;
    await Promise.all(
      events.flatMap((event) => {
        const notice = notices?.of(event);
        const publishing = options.publishing?.(event);
        const reported = publishing
          ? { ...event, meta: { ...event.meta, traceparent: publishing.traceparent } }
          : event;
        const headers = { 'content-type': CONTENT_TYPE, ...traceHeaders(reported.meta) };
        const sent = sender.send(topic, { key: event.stream, value: toEnvelope(service, reported), headers }, until);
        if (publishing)
          sent.then(
            () => publishing.end(),
            (error: unknown) => publishing.end(error),
          );
        return [
          sent,
          ...(notice && noticesTopic !== undefined
            ? [sender.send(noticesTopic, { key: notice.key, value: JSON.stringify(notice.event), headers }, until)]
            : []),
        ];
      }),
    );
    there = true;
    const last = events.at(-1);
    if (last)
      options.observer?.relayed?.({ events: events.length, position, caughtUp, occurredAt: last.meta.occurredAt });
  };

  const projector = runProjector({
    name: relayName(service),
    store,
    checkpoints,
    lease,
    logger,
    categories,
    batchSize: BATCH,
    lingerMs: LINGER_MS,
    apply,
  });
  return {
    caughtUp: projector.caughtUp,
    rewind: (position) => projector.rewind(position),
    holds: () => projector.holds(),
    stop: async () => {
      await projector.stop();
      await sender.close(CLOSE_MS);
    },
  };
}
