import type { KafkaMessage } from 'kafkajs';
import type { Recorded } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import { retryDelay } from '@ponte/concurrency';
import type { Delivery, DeliveryParts } from '../consumers/delivery';
import { fromEnvelope, NotAnEvent } from '../envelope';
import { firstLost } from '../consumers/lost-predecessor';
import type { PublishedLog } from '../partitions/published-log';
import type { Taken } from '../partitions/taken';
import type { Run } from '../partitions/seen-revisions';
import { SeenRevisions } from '../partitions/seen-revisions';

export interface FanOutParts extends Pick<DeliveryParts, 'queue' | 'logger' | 'observer' | 'deadLetter'> {
  /** The service whose events a topic contains. */
  readonly serviceOf: (topic: string) => string;
  readonly deliveries: readonly Delivery[];
  /** The log that the events come from. Without it, a loss is noticed only between events received by this process. */
  readonly log?: PublishedLog;
}

/** The group named in the dead letter of a message that was not passed to any consumer. */
const NO_CALLER = '';

/** Passes each message of the event topics to every group in this process that consumes the service. */
export class FanOut {
  /** For all consumers. */
  private readonly seen = new SeenRevisions();

  constructor(private readonly parts: FanOutParts) {}

  /** Called after a rebalance. */
  joined(): void {
    for (const delivery of this.parts.deliveries) delivery.refresh();
  }

  take(taken: Taken): void {
    const service = this.parts.serviceOf(taken.topic);
    const run = this.seen.runOf(taken);
    if (run.isNew) this.begin(run, service, taken);
    const event = this.read(taken);
    if (!event) return;
    taken.reach(event.position);
    const deliveries = this.parts.deliveries.filter(({ options }) => options.service === service);
    const order = this.seen.note(run, event.stream, event.revision);
    if (order === 'missing') this.missing(service, event, deliveries, this.seen.missingFrom(event.stream));
    const checks = {
      previous: order === 'first' ? this.checkOf(run, service, event, deliveries) : undefined,
      isInLog: taken.isBacklog ? this.isInLog(event) : undefined,
    };
    let left = deliveries.length;
    if (left === 0) taken.done();
    const end = (): void => {
      if ((left -= 1) === 0) taken.done();
    };
    for (const delivery of deliveries) delivery.add(event, taken, end, checks);
  }

  private read(taken: Taken): Recorded | undefined {
    try {
      return fromEnvelope(taken.message.value);
    } catch (error) {
      this.discard(taken, error instanceof NotAnEvent ? `${error.name}: ${error.message}` : 'NotAnEvent');
      return undefined;
    }
  }

  /** Copies a message that is not an event, and so cannot be parked, to the dead letters with the reason. */
  private discard(taken: Taken, reason: string): void {
    const {
      topic,
      partition,
      message: { offset },
    } = taken;
    const { logger, observer, queue, deadLetter } = this.parts;
    logger.error({ topic, partition, offset, reason }, 'a message is not an event; it is copied to the dead letters');
    observer?.undecodable?.(topic);
    let failures = 0;
    queue.add(`undecodable ${topic} ${partition} ${offset}`, async () => {
      if (!taken.isOurs()) return undefined;
      try {
        await deadLetter(taken, NO_CALLER, reason);
        taken.done();
        return undefined;
      } catch (error) {
        logger.error(
          { topic, partition, offset, error: safeError(error) },
          'a dead letter could not be sent; this will be retried',
        );
        failures += 1;
        return retryDelay(failures);
      }
    });
  }

  /** Reports messages that the brokers deleted before the group read them. */
  private begin(run: Run, service: string, { topic, partition, message: { offset } }: Taken): void {
    run.isNew = false;
    void run.before.then((place) => {
      if (place === undefined || place.offset >= BigInt(offset)) return;
      this.parts.observer?.gap?.(service);
      this.parts.logger.error(
        { service, topic, partition, offset, expected: String(place.offset), rewindTo: place.position ?? 'start' },
        'messages of a partition are missing; rewind the relay of the service to publish their events again',
      );
    });
  }

  /**
   * Checks, once for all deliveries, whether events before the first one of a stream in a run are missing. Undefined if
   * nothing is known about what came before. A failed check is repeated by the next call.
   */
  private checkOf(
    run: Run,
    service: string,
    event: Recorded,
    deliveries: readonly Delivery[],
  ): (() => Promise<void>) | undefined {
    const { log } = this.parts;
    if (!log) return undefined;
    return once(async () => {
      const from = await firstLost(log, event, await run.before);
      if (from !== undefined) this.missing(service, event, deliveries, from);
    });
  }

  /**
   * Asks the log, once for all deliveries, whether it has an event. Messages that were on the brokers before this
   * member read may be of a time that a restore of the log undid; later ones were published from this log.
   */
  private isInLog({ stream, revision, id }: Recorded): (() => Promise<boolean>) | undefined {
    const { log } = this.parts;
    if (!log) return undefined;
    return once(async () => (await log.read(stream, { from: revision, limit: 1 }))[0]?.id === id);
  }

  /** `from` is the first missing revision, if it is known. */
  private missing(
    service: string,
    { stream, revision, meta }: Recorded,
    deliveries: readonly Delivery[],
    from?: number,
  ): void {
    this.parts.observer?.gap?.(service);
    this.parts.logger.error(
      { ...logged(meta), service, stream, revision },
      'events of a stream are missing; the stream is parked until the relay has published them again',
    );
    for (const delivery of deliveries) delivery.missing(stream, { from, before: revision });
  }
}

/** The result of the first call that succeeds is shared by all. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= work().catch((error: unknown) => {
      running = undefined;
      throw error;
    }));
}

/** The headers of a dead letter, including those of the message. */
export function deadLetterHeaders(taken: Taken, group: string, reason: string, at: string): KafkaMessage['headers'] {
  return {
    ...taken.message.headers,
    'ponte-reason': reason,
    'ponte-group': group,
    'ponte-topic': taken.topic,
    'ponte-partition': String(taken.partition),
    'ponte-offset': taken.message.offset,
    'ponte-parked-at': at,
  };
}
