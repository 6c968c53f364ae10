import type { KafkaMessage } from 'kafkajs';
import type { Recorded } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import { retryDelay } from '@ponte/concurrency';
import type { Delivery, DeliveryParts } from '../consumers/delivery';
import { fromEnvelope, NotAnEvent } from '../envelope';
import type { Taken } from '../partitions/group-member';
import { PassedRevisions } from '../partitions/passed-revisions';

export interface FanOutParts extends Pick<DeliveryParts, 'queue' | 'logger' | 'observer' | 'deadLetter'> {
  /** The service whose events a topic carries. */
  readonly serviceOf: (topic: string) => string;
  readonly deliveries: readonly Delivery[];
}

/** Instead of a group of consumers, in the dead letter of what none of them was shown. */
const NO_CALLER = '';

/** Hands each message of the event topics to every group of this process that consumes the service. */
export class FanOut {
  /** The outcome of each stream, for every consumer. */
  private seen = new PassedRevisions();

  constructor(private readonly parts: FanOutParts) {}

  /** The group has shared its partitions again: what came meanwhile may have come to others. */
  joined(): void {
    this.seen = new PassedRevisions();
    for (const delivery of this.parts.deliveries) delivery.refresh();
  }

  take(taken: Taken): void {
    const event = this.read(taken);
    if (!event) return;
    const service = this.parts.serviceOf(taken.topic);
    const deliveries = this.parts.deliveries.filter(({ options }) => options.service === service);
    this.watchForGaps(service, event, deliveries);
    let left = deliveries.length;
    if (left === 0) taken.done();
    for (const delivery of deliveries) {
      delivery.add(event, taken, () => {
        if ((left -= 1) === 0) taken.done();
      });
    }
  }

  private read(taken: Taken): Recorded | undefined {
    try {
      return fromEnvelope(taken.message.value);
    } catch (error) {
      this.discard(taken, error instanceof NotAnEvent ? `${error.name}: ${error.message}` : 'NotAnEvent');
      return undefined;
    }
  }

  /** What is no event cannot be parked; its bytes are kept with the reason, and the topic goes on. */
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

  private watchForGaps(service: string, { stream, revision, meta }: Recorded, deliveries: readonly Delivery[]): void {
    if (this.seen.skips(stream, revision)) {
      this.parts.observer?.gap?.(service);
      this.parts.logger.error(
        { ...logged(meta), service, stream, revision },
        'events of a stream are missing; the stream is parked until the relay has published them again',
      );
      for (const delivery of deliveries) delivery.missing(stream, revision);
    }
    this.seen.pass(stream, revision);
  }
}

/** The headers of a dead letter, beside those that the message had. */
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
