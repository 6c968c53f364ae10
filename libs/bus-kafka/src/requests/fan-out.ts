import type { KafkaMessage } from 'kafkajs';
import type { Recorded } from '@ponte/event-sourcing';
import { failureText, logged, safeError } from '@ponte/event-sourcing';
import { ReportLimit, retryDelay } from '@ponte/concurrency';
import type { Delivery, DeliveryParts } from '../consumers/delivery';
import { fromEnvelope, NotAnEvent } from '../envelope';
import type { Arrival } from '../consumers/stream-order';
import { StreamOrder } from '../consumers/stream-order';
import type { PublishedLog } from '../partitions/published-log';
import type { TakenMessage } from '../partitions/taken-message';
import type { Run } from '../partitions/seen-revisions';

interface FanOutParts extends Pick<DeliveryParts, 'queue' | 'logger' | 'observer' | 'deadLetter'> {
  /** The service whose events a topic contains. */
  readonly serviceOf: (topic: string) => string;
  readonly deliveries: readonly Delivery[];
  /** The log that the events come from. Without it, a loss is noticed only between events received by this process. */
  readonly log?: PublishedLog;
}

/** The group named in the dead letter of a message that was not passed to any consumer. */
const NO_CALLER = '';

/**
 * The brokers do not say which of these it was. Right after a change of the leader, the new one may also not know yet
 * how far the others have replicated: nothing is lost then, and handling the events again has no second effect.
 */
const SHORTER =
  'a partition ends before messages that were already read from it, or its committed offset is gone: its topic was ' +
  'deleted, or a broker lost its newest messages. Messages that the brokers still have are read again, events that ' +
  'were handled are skipped, and a stream is parked when its next event shows that earlier ones are missing. ' +
  'Rewind the relay of the service to publish the events again';

/** Passes each message of the event topics to every group in this process that consumes the service. */
export class FanOut {
  private readonly order: StreamOrder;
  private readonly reports = new ReportLimit();

  constructor(private readonly parts: FanOutParts) {
    this.order = new StreamOrder(parts.log, (arrival, from) => this.missing(arrival, from));
  }

  /** Called after a rebalance. */
  joined(): void {
    this.order.joined();
    for (const delivery of this.parts.deliveries) delivery.refresh();
  }

  take(taken: TakenMessage): void {
    const service = this.parts.serviceOf(taken.topic);
    const run = this.order.runOf(taken);
    if (run.isNew) this.begin(run, service, taken);
    const event = this.read(taken);
    if (!event) return;
    taken.notePosition(event.position);
    const deliveries = this.parts.deliveries.filter(({ options }) => options.service === service);
    const checks = this.order.checksOf({ taken, run, service, event, deliveries });
    let left = deliveries.length;
    if (left === 0) taken.done();
    const end = (): void => {
      if ((left -= 1) === 0) taken.done();
    };
    for (const delivery of deliveries) delivery.add(event, taken, end, checks);
  }

  private read(taken: TakenMessage): Recorded | undefined {
    try {
      return fromEnvelope(taken.message.value);
    } catch (error) {
      this.discard(taken, error instanceof NotAnEvent ? `${error.name}: ${error.message}` : 'NotAnEvent');
      return undefined;
    }
  }

  /** Copies a message that is not an event, and so cannot be parked, to the dead letters with the reason. */
  private discard(taken: TakenMessage, reason: string): void {
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
        this.reports.note(failureText(error), (times) =>
          logger.error(
            { topic, partition, offset, error: safeError(error), times },
            'a dead letter could not be sent; this will be retried',
          ),
        );
        failures += 1;
        return retryDelay(failures);
      }
    });
  }

  /** Reports messages that the brokers deleted before the group read them, or that may have been lost after that. */
  private begin(run: Run, service: string, { topic, partition, message: { offset } }: TakenMessage): void {
    run.isNew = false;
    void run.before.then((start) => {
      if (start === undefined || start.offset >= BigInt(offset)) return;
      this.parts.observer?.gap?.(service);
      const rewindTo = start.position ?? 'start';
      if (start.offset < 0n) this.parts.logger.error({ service, topic, partition, offset, rewindTo }, SHORTER);
      else
        this.parts.logger.error(
          { service, topic, partition, offset, expected: String(start.offset), rewindTo },
          'messages of a partition are missing; rewind the relay of the service to publish their events again',
        );
    });
  }

  /** `from` is the first missing revision. */
  private missing({ service, event, deliveries, taken }: Arrival, from: number): void {
    const { stream, revision, meta } = event;
    this.parts.observer?.gap?.(service);
    this.parts.logger.error(
      { ...logged(meta), service, stream, revision },
      'events of a stream are missing; the stream is parked until the relay has published them again',
    );
    for (const delivery of deliveries) delivery.missing(stream, { from, before: revision }, taken);
  }
}

/** The headers of a dead letter, including those of the message. */
export function deadLetterHeaders(
  taken: TakenMessage,
  group: string,
  reason: string,
  at: string,
): KafkaMessage['headers'] {
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
